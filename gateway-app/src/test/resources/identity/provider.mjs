// An OpenID provider for tests: tells its address, and rotates its keys when a line comes in.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
const shop = process.argv[3]; // where a gateway is that logs people in
const life = Number(process.argv[4] ?? 60); // of its access tokens, in seconds
const client = JSON.parse(process.env.CLIENT ?? '{}'); // how its clients prove themselves, where by no secret
const tls = process.env.TLS; // folder of its certificate and the authority of its clients
const issuer = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
const resources = {
  'urn:orders:RS256': { alg: 'RS256' },
  'urn:orders:PS256': { alg: 'PS256' },
  'urn:orders:ES256': { alg: 'ES256' },
  'urn:orders:EdDSA': { alg: 'EdDSA' },
  'urn:orders:opaque': null,
};
let round = 0;

// What its connections show (RFC 8705).
const certificates = {
  enabled: true,
  tlsClientAuth: true,
  getCertificate: (ctx) => ctx.socket.getPeerX509Certificate(),
  certificateAuthorized: (ctx) => ctx.socket.authorized,
  certificateSubjectMatches: (ctx, property, expected) => property === 'tls_client_auth_san_dns'
    && ctx.socket.getPeerX509Certificate().subjectAltName === `DNS:${expected}`,
};

async function key(alg) {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(pair.privateKey)), kid: `${alg}-${round}`, alg, use: 'sig' };
}

function browsing() {
  if (!shop) return [];
  return [{
    client_id: 'shop',
    client_secret: 'shop-secret',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`${shop}/.auth/callback`],
    post_logout_redirect_uris: [`${shop}/bye`],
    backchannel_logout_uri: `${shop}/.auth/ended`,
    backchannel_logout_session_required: true,
    ...client,
  }];
}

// Consents at once, so that people are asked for their name alone.
async function granted(ctx) {
  const grant = new ctx.oidc.provider.Grant({
    clientId: ctx.oidc.client.clientId,
    accountId: ctx.oidc.session.accountId,
  });
  grant.addOIDCScope('openid profile');
  await grant.save();
  return grant;
}

async function provider() {
  round += 1;
  const keys = await Promise.all(['RS256', 'PS256', 'ES256', 'EdDSA'].map(key));
  return new Provider(issuer, {
    jwks: { keys },
    clients: [{
      client_id: 'caller',
      client_secret: 'caller-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      ...client,
    }, ...browsing()],
    claims: { openid: ['sub', 'sid'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id} of the tests`, preferred_username: id }),
    }),
    issueRefreshToken: () => true,
    loadExistingGrant: granted,
    rotateRefreshToken: true,
    ttl: { AccessToken: life, Grant: 3600, IdToken: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
    enabledJWA: { clientAuthSigningAlgValues: ['HS256', 'RS256', 'ES256'] },
    ...(tls ? { clientAuthMethods: ['tls_client_auth'] } : {}),
    extraTokenClaims: () => ({ tenant: 'gold', roles: ['reader', 'writer'] }),
    features: {
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
      ...(tls ? { mTLS: certificates } : {}),
      devInteractions: { enabled: Boolean(shop) },
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
const { createServer } = await import(tls ? 'node:https' : 'node:http');
const options = tls ? {
  key: readFileSync(`${tls}/server.pem`),
  cert: readFileSync(`${tls}/server.pem`),
  ca: readFileSync(`${tls}/authority.pem`),
  requestCert: true,
  rejectUnauthorized: false,
} : {};
createServer(options, (request, response) => current.callback()(request, response))
  .listen(port, tls ? 'localhost' : '127.0.0.1', () => console.log('up'));
createInterface({ input: process.stdin }).on('line', async () => {
  current = await provider();
  console.log(`round ${round}`);
});
