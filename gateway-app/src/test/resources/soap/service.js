// A service of SOAP 1.1 by npm `soap`: node service.js orders.wsdl
const fs = require("fs"), http = require("http"), soap = require("soap");
const server = http.createServer((request, response) => response.end());
const get = (asked, _, headers, request) => {
  if (Number(asked.id) === 0) {
    throw {Fault: {faultcode: "soap:Client", faultstring: "there is no order <0>"}};
  }
  const line = [];
  for (let i = 1; i <= Number(asked.id); i++) line.push({sku: "A-" + i, quantity: i});
  return {note: `${asked.note} ${request.headers.soapaction}`, line};
};
server.listen(0, "127.0.0.1", () => {
  soap.listen(server, "/services/orders", {Orders: {Orders: {GetOrder: get}}}, fs.readFileSync(process.argv[2], "utf8"));
  console.log("port " + server.address().port);
});
