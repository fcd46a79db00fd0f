// A client of SOAP 1.1 with WS-Security by npm `soap`: node secure_client.js orders.wsdl kind key certificate certificate-of-the-service
const fs = require("fs"), soap = require("soap"), {SignedXml} = require("xml-crypto");
const [wsdl, kind, key, certificate, service] = process.argv.slice(2);
const read = name => fs.readFileSync(name, "utf8");
const signed = () => new soap.WSSecurityCert(read(key), read(certificate), "", {
  hasTimeStamp: kind === "cert", signerOptions: {idMode: "wssecurity", existingPrefixes: {}},
});
const users = password => new soap.WSSecurity("ann", password, {passwordType: "PasswordDigest"});
const kinds = {
  cert: () => signed(),
  user: () => users("a long password"),
  "wrong-user": () => users("another password"),
  "user-and-cert": () => new soap.WSSecurityPlusCert(users("a long password"), signed()),
  none: () => null,
};
const verified = xml => {
  const check = new SignedXml({publicCert: read(service), idMode: "wssecurity"});
  check.loadSignature(/<([a-z]+:)?Signature [^]*<\/([a-z]+:)?Signature>/.exec(xml)[0]);
  try {
    return check.checkSignature(xml);
  } catch (error) {
    return false;
  }
};
soap.createClientAsync(wsdl).then(async client => {
  client.setSecurity(kinds[kind]());
  try {
    const [answer, raw] = await client.GetOrderAsync({id: 2, note: "a & <b> é"});
    console.log(JSON.stringify({note: answer.note, verified: verified(raw), changed: verified(raw.replace("fine", "bad"))}));
  } catch (error) {
    console.log(JSON.stringify(error.root ? error.root.Envelope.Body.Fault : String(error)));
  }
});
