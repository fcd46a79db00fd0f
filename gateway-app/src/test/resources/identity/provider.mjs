// An OpenID provider for tests: tells its address, and rotates its keys when a line comes in.
import { createInterface } from 'node:readline';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
const resources = {
  'urn:orders:RS256': { alg: 'RS256' },
  'urn:orders:PS256': { alg: 'PS256' },
  'urn:orders:ES256': { alg: 'ES256' },
  'urn:orders:EdDSA': { alg: 'EdDSA' },
  'urn:orders:opaque': null,
};
let round = 0;

async function key(alg) {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(pair.privateKey)), kid: `${alg}-${round}`, alg, use: 'sig' };
}

async function provider() {
  round += 1;
  const keys = await Promise.all(['RS256', 'PS256', 'ES256', 'EdDSA'].map(key));
  return new Provider(`http://127.0.0.1:${port}`, {
    jwks: { keys },
    clients: [{
      client_id: 'caller',
      client_secret: 'caller-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    }],
    enabledJWA: { clientAuthSigningAlgValues: ['HS256', 'RS256'] },
    extraTokenClaims: () => ({ tenant: 'gold', roles: ['reader', 'writer'] }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'orders.read',
          audience: 'orders',
          accessTokenTTL: 600,
          accessTokenFormat: resources[resource] ? 'jwt' : 'opaque',
          ...(resources[resource] ? { jwt: { sign: resources[resource] } } : {}),
        }),
      },
    },
  });
}

let current = await provider();
const { createServer } = await import('node:http');
createServer((request, response) => current.callback()(request, response))
  .listen(port, '127.0.0.1', () => console.log('up'));
createInterface({ input: process.stdin }).on('line', async () => {
  current = await provider();
  console.log(`round ${round}`);
});
