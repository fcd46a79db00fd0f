// Signs and encrypts with npm's jose, and opens what others have: keys and messages as JSON, one on each line.
import { createRequire } from 'node:module';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.cwd(), 'node_modules', 'none.js'));
const jose = await import(pathToFileURL(require.resolve('jose')));
const [what, payload] = process.argv.slice(2);
const content = new TextEncoder().encode(payload);
const signed = ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'HS256'];
const encrypted = {
  'RSA-OAEP': 'A256GCM', 'RSA-OAEP-256': 'A128GCM', 'ECDH-ES': 'A256GCM', 'ECDH-ES+A128KW': 'A256GCM',
  A256KW: 'A256GCM', dir: 'A128CBC-HS256',
};
const shared = ['HS256', 'A256KW', 'dir'];
const show = (line) => console.log(JSON.stringify(line));

async function pair(alg) {
  if (shared.includes(alg)) {
    const key = { kty: 'oct', k: randomBytes(32).toString('base64url') };
    return { private: key, public: null };
  }
  const made = await jose.generateKeyPair(alg, { extractable: true });
  return {
    private: { ...(await jose.exportJWK(made.privateKey)), kid: alg },
    public: { ...(await jose.exportJWK(made.publicKey)), kid: alg },
  };
}

async function sign(jwk, alg, form) {
  const key = await jose.importJWK(jwk, alg);
  const header = { alg, kid: alg, cty: 'json' };
  if (form === 'detached') {
    const message = await new jose.FlattenedSign(content)
      .setProtectedHeader({ ...header, b64: false, crit: ['b64'] }).sign(key);
    return `${message.protected}..${message.signature}`;
  }
  if (form === 'compact') return new jose.CompactSign(content).setProtectedHeader(header).sign(key);
  return JSON.stringify(await new jose.GeneralSign(content).addSignature(key).setProtectedHeader(header).sign());
}

async function encrypt(jwk, alg, form) {
  const key = await jose.importJWK(jwk, alg);
  const header = { alg, enc: encrypted[alg], cty: 'json' };
  if (form === 'compact') return new jose.CompactEncrypt(content).setProtectedHeader(header).encrypt(key);
  return JSON.stringify(await new jose.FlattenedEncrypt(content).setProtectedHeader(header)
    .setUnprotectedHeader({ kid: alg }).encrypt(key));
}

async function make() {
  const keys = {};
  for (const alg of [...signed, ...Object.keys(encrypted)]) {
    const [mine, other] = [await pair(alg), await pair(alg)];
    keys[alg] = mine;
    const forms = signed.includes(alg) ? ['compact', 'json', 'detached'] : ['compact', 'json'];
    for (const form of forms) {
      for (const [key, good] of [[mine, true], [other, false]]) {
        const text = signed.includes(alg)
          ? await sign(key.private, alg, form) : await encrypt(key.public ?? key.private, alg, form);
        show({ case: alg, form, good, text });
      }
    }
  }
  show({ keys });
}

async function open(message) {
  const key = await jose.importJWK(message.key, message.case);
  const text = (found) => new TextDecoder().decode(found);
  if (!signed.includes(message.case)) {
    return message.form === 'json'
      ? text((await jose.flattenedDecrypt(JSON.parse(message.text), key)).plaintext)
      : text((await jose.compactDecrypt(message.text, key)).plaintext);
  }
  if (message.form === 'json') return text((await jose.flattenedVerify(JSON.parse(message.text), key)).payload);
  if (message.form === 'compact') return text((await jose.compactVerify(message.text, key)).payload);
  const [header, , signature] = message.text.split('.');
  return text((await jose.flattenedVerify({ protected: header, payload, signature }, key)).payload);
}

if (what === 'make') await make();
else for await (const line of createInterface({ input: process.stdin })) show({ payload: await open(JSON.parse(line)) });
