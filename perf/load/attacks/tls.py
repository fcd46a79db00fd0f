"""Connections to the TLS listener that stop somewhere: in a record, in a handshake, behind one."""
import struct

from attacks.attack import attack

RECORD_HEAD = b"\x16\x03\x01\x02\x00"  # a handshake record of 512 bytes is to follow
LARGE = b"GET /large HTTP/1.1\r\nHost: chaos\r\n\r\n"
LARGEST_RECORD = 16 * 1024
SMALL_BUFFER = 4096


@attack(connections=8500, pace=1000)
async def tls_five_bytes(link):
    """connections that send the 5 bytes 16 03 01 02 00 and no more"""
    await link.connect(link.place.secure)
    await link.send_raw(RECORD_HEAD)
    await link.until_raw_closed()


@attack(connections=500, pace=100)
async def tls_half_hello(link):
    """a ClientHello of which all but the last byte comes"""
    await link.connect(link.place.secure)
    await link.send_raw((await link.hello("http/1.1"))[:-1])
    await link.until_raw_closed()


@attack(connections=200, pace=20)
async def tls_half_handshake(link):
    """handshakes that stop when the gateway has answered"""
    await link.connect(link.place.secure)
    await link.send_raw(await link.hello("http/1.1"))
    await link.until_raw_closed()


@attack(connections=200, pace=20)
async def tls_half_record(link):
    """a record of 16 KB of which all but the last byte comes"""
    await link.connect_tls("http/1.1")
    head = b"POST /good/x HTTP/1.1\r\nHost: chaos\r\nContent-Length: 100000\r\n\r\n"
    await link.send_raw(link.sealed(head + b"x" * (LARGEST_RECORD - len(head)))[:-1])
    await link.until_raw_closed()


@attack(connections=300, pace=20)
async def tls_idle(link):
    """handshakes that no request follows"""
    await link.connect_tls("http/1.1")
    await link.until_closed()


@attack(connections=60, pace=10)
async def tls_unread(link):
    """large answers over TLS that are never read"""
    await link.connect_tls("http/1.1", receive_buffer=SMALL_BUFFER)
    await link.send(LARGE * 8)
    await link.unread()


@attack(connections=20, pace=10)
async def tls_small_records(link):
    """a request in records of one byte each, over and over"""
    await link.connect_tls("http/1.1")
    while True:
        await link.send_slowly(b"GET /good/x HTTP/1.1\r\nHost: chaos\r\n\r\n", 1, 0.05)


@attack(connections=20, pace=10)
async def tls_alerts(link):
    """records of TLS that make no sense: alerts, empty ones, ones too long"""
    await link.connect(link.place.secure)
    await link.send_raw(struct.pack(">BHH", 21, 0x0301, 2) + b"\x01\x00" + struct.pack(">BHH", 22, 0x0301, 0xFFFF))
    await link.until_raw_closed()
