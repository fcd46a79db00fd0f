// A service of SOAP 1.1 by npm `soap` that asks for a user name token: node secure_service.js orders.wsdl
const fs = require("fs"), http = require("http"), soap = require("soap");
const {passwordDigest} = require("soap/lib/utils");
const server = http.createServer((request, response) => response.end());
const text = value => (typeof value === "object" ? value.$value : value);
server.listen(0, "127.0.0.1", () => {
  const get = asked => ({note: `${asked.note}`, line: []});
  const service = soap.listen(server, "/orders", {Orders: {Orders: {GetOrder: get}}}, fs.readFileSync(process.argv[2], "utf8"));
  service.authenticate = security => {
    const token = security && security.UsernameToken;
    if (!token || text(token.Username) !== "gateway") return false;
    const made = passwordDigest(text(token.Nonce), text(token.Created), "a password of ours");
    return text(token.Password) === made;
  };
  console.log("port " + server.address().port);
});
