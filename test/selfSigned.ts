import { generateKeyPairSync, sign } from 'node:crypto';

/** A value in DER, the encoding of certificates. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const SEQUENCE = 0x30;
const hex = (digits: string) => Buffer.from(digits, 'hex');

/** A key and a self-signed certificate for `localhost`. */
export function selfSigned(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const ecdsaWithSha256 = der(SEQUENCE, der(0x06, hex('2a8648ce3d040302')));
	const commonName = der(SEQUENCE, der(0x06, hex('550403')), der(0x0c, Buffer.from('localhost')));
	const name = der(SEQUENCE, der(0x31, commonName));
	const years = ['20200101000000Z', '21200101000000Z'].map((time) => der(0x18, Buffer.from(time)));
	const certificate = der(
		SEQUENCE,
		der(0x02, hex('01')),
		ecdsaWithSha256,
		...[name, der(SEQUENCE, ...years), name],
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = der(0x03, hex('00'), sign('sha256', certificate, privateKey));
	const signed = der(SEQUENCE, certificate, ecdsaWithSha256, signature).toString('base64');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${signed}\n-----END CERTIFICATE-----\n`,
	};
}
