// A client of SOAP 1.1 by npm `soap`: node client.js orders.wsdl
const soap = require("soap");
soap.createClientAsync(process.argv[2]).then(async client => {
  const [answer] = await client.GetOrderAsync({id: 2, note: "a & <b> é"});
  console.log(JSON.stringify(answer));
  try {
    await client.GetOrderAsync({id: 0});
  } catch (error) {
    console.log(JSON.stringify(error.root.Envelope.Body.Fault));
  }
});
