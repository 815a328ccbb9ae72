import { n8nEnvironment } from '../../tools/host/environment';

describe('the environment of n8n', () => {
	it('inherits only the machine’s settings from the user', () => {
		const environment = n8nEnvironment(
			'/tmp/user',
			{},
			{
				PATH: '/bin',
				N8N_ENCRYPTION_KEY: 'mine',
				DB_TYPE: 'postgresdb',
				NODE_OPTIONS: '--inspect',
				HTTPS_PROXY: 'http://proxy.example',
			},
		);
		expect(environment.PATH).toBe('/bin');
		expect(environment).not.toHaveProperty('N8N_ENCRYPTION_KEY');
		expect(environment).not.toHaveProperty('DB_TYPE');
		expect(environment).not.toHaveProperty('NODE_OPTIONS');
		expect(environment).not.toHaveProperty('HTTPS_PROXY');
	});

	it('can be reached from this machine only and sends no telemetry', () => {
		expect(n8nEnvironment('/tmp/user')).toMatchObject({
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_USER_FOLDER: '/tmp/user',
		});
	});

	it('lets the caller override settings', () => {
		const environment = n8nEnvironment('/tmp/user', { N8N_DIAGNOSTICS_ENABLED: 'true' });
		expect(environment.N8N_DIAGNOSTICS_ENABLED).toBe('true');
	});
});
