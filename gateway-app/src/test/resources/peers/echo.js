// An upstream that shows every way of answering; the Go one beside it serves the same paths.
// Arguments: milliseconds that idle connections are kept. Prints its port.
const http = require('http'), zlib = require('zlib'), crypto = require('crypto');

const waiting = [];
const pattern = count => Buffer.from(Uint8Array.from({length: count}, (_, i) => i % 251));

function serve(request, answer) {
    const url = new URL(request.url, 'http://here');
    const count = Number(url.searchParams.get('count'));
    const paths = {
        '/echo': () => {
            answer.writeHead(200, {'Content-Type': 'application/octet-stream', 'Trailer': 'X-Sum'});
            request.on('data', part => answer.write(part) || (request.pause(), answer.once('drain', () => request.resume())));
            request.on('end', () => { answer.addTrailers({'X-Sum': request.trailers['x-sum'] || 'none'}); answer.end(); });
        },
        '/digest': () => {
            const hash = crypto.createHash('sha256');
            request.on('data', part => hash.update(part));
            request.on('end', () => text(answer, hash.digest('hex')));
        },
        '/bytes': () => {
            answer.writeHead(200, {'Content-Length': count});
            answer.end(pattern(count));
        },
        '/chunks': () => {
            answer.writeHead(200);
            for (let sent = 0; sent < count; sent += 10040) answer.write(pattern(Math.min(10040, count - sent)));
            answer.end();
        },
        '/gzip': () => {
            const packed = zlib.gzipSync('packed '.repeat(1000));
            answer.writeHead(200, {'Content-Encoding': 'gzip', 'Content-Type': 'text/plain', 'Content-Length': packed.length});
            answer.end(packed);
        },
        '/none': () => answer.writeHead(204).end(),
        '/same': () => answer.writeHead(304, {'ETag': '"a"'}).end(),
        '/events': () => {
            answer.writeHead(200, {'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no'});
            answer.write('data: first\n\n');
            waiting.push(answer);
        },
        '/release': () => {
            waiting.splice(0).forEach(each => each.end('data: second\n\n'));
            text(answer, 'released');
        },
        '/early': () => {
            answer.writeHead(413, {'Content-Length': 9, 'Connection': 'close'});
            answer.end('too large');
        },
        '/broken': () => {
            answer.writeHead(200, {'Content-Length': 1000});
            answer.write('begun', () => request.socket.destroy());
        },
        '/broken-chunks': () => {
            answer.writeHead(200);
            answer.write('begun', () => request.socket.destroy());
        },
        '/gone': () => request.socket.destroy(),
        '/fields': () => text(answer, [`HTTP/${request.httpVersion}`, ...pairs(request.rawHeaders)].join('\n')),
    };
    (paths[url.pathname] || (() => text(answer, 'hello')))();
}

function pairs(raw) {
    return raw.flatMap((name, at) => at % 2 ? [] : [`${name}: ${raw[at + 1]}`]);
}

function text(answer, content) {
    answer.writeHead(200, {'Content-Type': 'text/plain', 'Content-Length': Buffer.byteLength(content)});
    answer.end(content);
}

/// Sends each frame of a WebSocket back as it came, without its mask.
function echo(socket, begin) {
    let held = begin;
    socket.on('error', () => {});
    socket.on('data', more => {
        held = Buffer.concat([held, more]);
        while (held.length >= 6 && held.length >= 6 + (held[1] & 127)) {
            const length = held[1] & 127, mask = held.subarray(2, 6);
            const content = Buffer.from(held.subarray(6, 6 + length).map((octet, i) => octet ^ mask[i % 4]));
            socket.write(Buffer.concat([Buffer.from([held[0], length]), content]));
            if ((held[0] & 15) === 8) socket.end();
            held = held.subarray(6 + length);
        }
    });
}

const server = http.createServer(serve);
server.keepAliveTimeout = Number(process.argv[2]);
server.on('checkContinue', (request, answer) => {
    if (request.url === '/refused') return answer.writeHead(417, {'Content-Length': 0, 'Connection': 'close'}).end();
    answer.writeContinue();
    serve(request, answer);
});
server.on('upgrade', (request, socket, begin) => {
    const accept = crypto.createHash('sha1')
        .update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
        + `Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
    echo(socket, begin);
});
server.listen({port: 0, host: '127.0.0.1', backlog: 4096}, () => console.log(`port ${server.address().port}`));
