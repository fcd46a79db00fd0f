// usage: node http2-socket.cjs https://host:port ca.pem: opens a WebSocket by extended CONNECT and says what it hears
const http2 = require("http2"), fs = require("fs"), crypto = require("crypto");
const client = http2.connect(process.argv[2], {ca: fs.readFileSync(process.argv[3])});
const large = Buffer.alloc(1 << 20, i => i % 251);

function frame(opcode, content) {
  const length = content.length, mask = crypto.randomBytes(4);
  const head = length < 126 ? Buffer.from([0x80 | opcode, 0x80 | length])
    : Buffer.concat([Buffer.from([0x80 | opcode, 0xff]), Buffer.alloc(8)]);
  if (length >= 126) head.writeBigUInt64BE(BigInt(length), 2);
  const masked = Buffer.from(content);
  for (let i = 0; i < length; i++) masked[i] ^= mask[i % 4];
  return Buffer.concat([head, mask, masked]);
}

// the frames that are whole, each [opcode, content], and what is left
function frames(bytes) {
  const found = [];
  while (bytes.length >= 2) {
    const short = bytes[1] & 127, more = short === 127 ? 8 : short === 126 ? 2 : 0;
    if (bytes.length < 2 + more) break;
    const length = more === 8 ? Number(bytes.readBigUInt64BE(2)) : more === 2 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < 2 + more + length) break;
    found.push([bytes[0], bytes.subarray(2 + more, 2 + more + length)]);
    bytes = bytes.subarray(2 + more + length);
  }
  return [found, bytes];
}

client.on("error", why => { console.log("error", why.message); process.exit(1); });
client.on("remoteSettings", settings => {
  console.log("enabled", settings.enableConnectProtocol);
  const socket = client.request({":method": "CONNECT", ":protocol": "websocket", ":path": "/chat", "sec-websocket-version": "13"});
  let rest = Buffer.alloc(0), pieces = [];
  socket.on("error", why => { console.log("error", why.message); process.exit(1); });
  socket.on("response", fields => {
    console.log("status", fields[":status"]);
    socket.write(frame(1, Buffer.from("hello")));
    socket.write(frame(2, large));
  });
  socket.on("data", bytes => {
    let found;
    [found, rest] = frames(Buffer.concat([rest, bytes]));
    for (const [first, content] of found) {
      const opcode = first & 15;
      if (opcode === 1) console.log("text", content.toString());
      if (opcode === 2 || opcode === 0) {
        pieces.push(content);
        if (!(first & 128)) continue;
        console.log("binary", Buffer.compare(Buffer.concat(pieces), large) === 0);
        socket.write(frame(8, Buffer.from([4001 >> 8, 4001 & 255])));
      }
      if (opcode === 8) {
        console.log("closed", content.readUInt16BE(0));
        socket.end();
      }
    }
  });
  socket.on("end", () => console.log("end"));
  socket.on("close", () => client.close());
});
