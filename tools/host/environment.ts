/** The variables that n8n needs from the machine. The user's other settings have no effect. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'SystemRoot', 'APPDATA'];

/** No telemetry, no license server, no catalog or banner fetched from n8n's servers. */
const OFFLINE = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
};

/** An editor that only this machine can reach, without surveys and banners. */
const LOCAL = {
	NODE_ENV: 'production',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
};

/**
 * The environment of an n8n process that is isolated from the user's settings.
 *
 * @param userFolder n8n puts its `.n8n` folder in here
 * @param extra overrides everything else
 */
export function n8nEnvironment(
	userFolder: string,
	extra: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
	const machine = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
	return {
		...machine,
		...OFFLINE,
		...LOCAL,
		N8N_USER_FOLDER: userFolder,
		...extra,
	};
}
