// Issues assertions with `saml` and responses with `samlify`: a name and one of them on each line, in Base64.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [what, keyFile, certificateFile] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), 'node_modules', 'none.js'));
const key = readFileSync(keyFile, 'utf8');
const certificate = readFileSync(certificateFile, 'utf8');
const recipient = 'https://api.example.com/orders';
const told = (name, base64) => console.log(name, base64);

function bySaml() {
  const { Saml20 } = require('saml');
  const issue = (more) => Buffer.from(Saml20.create({
    cert: certificate, key, issuer: 'https://idp.example.com', lifetimeInSeconds: 300, audiences: 'urn:orders',
    attributes: { groups: ['readers', 'writers'] }, nameIdentifier: 'alice', recipient,
    signatureAlgorithm: 'rsa-sha256', digestAlgorithm: 'sha256', sessionIndex: 's1', ...more,
  }));
  told('good', issue({}).toString('base64'));
  told('good', issue({ inResponseTo: 'id-1', prefix: 'ds' }).toString('base64'));
  told('bad', issue({ signatureAlgorithm: 'rsa-sha1' }).toString('base64'));
  told('bad', issue({ digestAlgorithm: 'sha1' }).toString('base64'));
  told('bad', issue({ audiences: 'urn:other' }).toString('base64'));
  told('bad', issue({ issuer: 'https://other.example.com' }).toString('base64'));
  told('bad', issue({ recipient: 'https://evil.example.com' }).toString('base64'));
  told('bad', issue({ lifetimeInSeconds: -300 }).toString('base64'));
  told('bad', Buffer.from(issue({}).toString().replace('alice', 'admin')).toString('base64'));
  told('bad', Buffer.from(issue({}).toString().replace('alice', 'ali<!---->ce')).toString('base64'));
}

async function bySamlify() {
  const samlify = require('samlify');
  samlify.setSchemaValidator({ validate: async () => 'skipped' });
  const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
  const template = samlify.SamlLib.defaultLoginResponseTemplate.context
    .replace('{AuthnStatement}', '<saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="s1"/>');
  const issue = async (sp, change) => {
    const idp = samlify.IdentityProvider({
      entityID: 'https://idp.example.com', privateKey: key, signingCert: certificate, isAssertionEncrypted: false,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      singleSignOnService: [{ Binding: post, Location: 'https://idp.example.com/sso' }],
      loginResponseTemplate: { context: template, attributes: [] },
    });
    const service = samlify.ServiceProvider({
      entityID: 'urn:orders', assertionConsumerService: [{ Binding: post, Location: recipient }], ...sp,
    });
    const now = new Date();
    const values = {
      ID: '_r' + Math.random(), AssertionID: '_a' + Math.random(), Destination: recipient, Audience: 'urn:orders',
      EntityID: 'urn:orders', SubjectRecipient: recipient, AssertionConsumerServiceURL: recipient,
      Issuer: 'https://idp.example.com', IssueInstant: now.toISOString(), ConditionsNotBefore: now.toISOString(),
      ConditionsNotOnOrAfter: new Date(+now + 300000).toISOString(),
      SubjectConfirmationDataNotOnOrAfter: new Date(+now + 300000).toISOString(),
      NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', NameID: 'alice',
      InResponseTo: 'id-1', StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    };
    const fill = (text) => ({ id: values.ID, context: samlify.SamlLib.replaceTagsByValue(text, values) });
    const { context } = await idp.createLoginResponse(service, null, 'post', { email: 'alice' }, fill);
    return change(Buffer.from(context, 'base64').toString());
  };
  const same = (text) => text;
  const all = [
    ['good', { wantAssertionsSigned: true }, same],
    ['good', { wantAssertionsSigned: true, wantMessageSigned: true }, same],
    ['bad', { wantAssertionsSigned: true }, (text) => text.replace('alice', 'admin')],
    ['bad', { wantAssertionsSigned: true, wantMessageSigned: true }, (text) => text.replace('alice', 'admin')],
  ];
  for (const [name, sp, change] of all) told(name, Buffer.from(await issue(sp, change)).toString('base64'));
}

await (what === 'saml' ? bySaml() : bySamlify());
