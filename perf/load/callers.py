"""One connection of a good client each: HTTP/1.1 in the clear, over TLS, HTTP/2; one request at a time."""
import dataclasses, errno, itertools, os, select, socket, ssl

import frames
from attacks.link import context

MORE = 65536
SMALL_BODY = b'{"order": 7, "items": ["' + b"x" * 160 + b'"]}'
GET = b"GET /good/items/7 HTTP/1.1\r\nHost: good.example\r\nUser-Agent: good\r\nAccept: */*\r\n"
POST = (b"POST /good/items HTTP/1.1\r\nHost: good.example\r\nUser-Agent: good\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        % (len(SMALL_BODY), SMALL_BODY))
LARGE_WINDOW = 2**30
BIND_WITHOUT_PORT = 24  # IP_BIND_ADDRESS_NO_PORT of Linux: the port is chosen when the other end is known
SOURCES = itertools.cycle(f"127.0.0.{number}" for number in range(2, 252))  # an address for each of the good, as attackers have


class Broken(Exception):
    """The other side ended the connection, or said something that is no answer; the message says what."""


class Caller:
    """HTTP/1.1 in the clear. `advance` until it `stands`; then `ask`, and `take` until that tells a status."""

    def __init__(self, port, request):
        self.request, self.rest, self.stands, self.kept = request, b"", False, True
        self.socket = socket.socket()
        self.number = self.socket.fileno()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.IPPROTO_IP, BIND_WITHOUT_PORT, 1)
        self.socket.bind((next(SOURCES), 0))
        begun = self.socket.connect_ex(("127.0.0.1", port))
        if begun not in (0, errno.EINPROGRESS):
            self.socket.close()
            raise OSError(begun, os.strerror(begun))

    def fileno(self):
        return self.number

    def wanted(self):
        return select.EPOLLIN

    def advance(self):
        """Whether the connection stands now."""
        failed = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if failed:
            raise OSError(failed, os.strerror(failed))
        self.stands = True
        return True

    def ask(self):
        self.socket.send(self.request)

    def take(self):
        """The status of an answer that is whole; None for one that is not yet."""
        data = self.read()
        if data is None:
            return None
        self.rest += data
        end = self.rest.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = self.rest[:end + 2].lower()
        at = head.find(b"content-length: ")
        if at < 0 or not head.startswith(b"http/1.1 "):
            raise Broken("an answer without a length")
        if len(self.rest) < end + 4 + int(head[at + 16:head.index(b"\r", at)]):
            return None
        self.rest, self.kept = b"", b"connection: close" not in head
        return int(head[9:12])

    def read(self):
        try:
            data = self.socket.recv(MORE)
        except BlockingIOError:
            return None
        if not data:
            raise Broken("closed")
        return data

    def close(self):
        self.socket.close()


class SecureCaller(Caller):
    """HTTP/1.1 over TLS."""
    tls = context("http/1.1")

    def __init__(self, port, request):
        super().__init__(port, request)
        self.connected, self.awaits = False, select.EPOLLIN

    def advance(self):
        if not self.connected:
            super().advance()
            self.stands, self.connected = False, True
            self.socket = self.tls.wrap_socket(self.socket, do_handshake_on_connect=False, server_hostname="localhost")
        try:
            self.socket.do_handshake()
        except ssl.SSLWantReadError:
            self.awaits = select.EPOLLIN
            return False
        except ssl.SSLWantWriteError:
            self.awaits = select.EPOLLOUT
            return False
        self.stands = True
        return True

    def wanted(self):
        return self.awaits

    def read(self):
        """All that there is: what has been deciphered already would wake nobody."""
        pieces = []
        try:
            while True:
                data = self.socket.recv(MORE)
                if not data:
                    raise Broken("closed")
                pieces.append(data)
        except (ssl.SSLWantReadError, BlockingIOError):
            return b"".join(pieces) or None
        except ssl.SSLError:
            raise Broken("broken TLS") from None


class Http2Caller(SecureCaller):
    """HTTP/2 over TLS, a stream after the other."""
    tls = context("h2")

    def __init__(self, port, request):
        super().__init__(port, request)
        self.section, self.stream, self.frames, self.status = request, 1, frames.Frames(), None

    def advance(self):
        if not super().advance():
            return False
        self.socket.send(frames.opening(LARGE_WINDOW, LARGE_WINDOW))
        return True

    def ask(self):
        self.socket.send(frames.frame(frames.HEADERS, frames.END_HEADERS | frames.END_STREAM, self.stream, self.section))

    def take(self):
        data = self.read()
        if data is None:
            return None
        found = None
        for kind, flags, stream, payload in self.frames.of(data):
            if kind == frames.GOAWAY:
                raise Broken(f"goaway {frames.error(payload, 4)}")
            if kind == frames.SETTINGS and not flags & frames.ACK:
                self.socket.send(frames.frame(frames.SETTINGS, frames.ACK))
            if stream != self.stream:
                continue
            if kind == frames.RESET:
                raise Broken(f"reset {frames.error(payload)}")
            if kind == frames.HEADERS:
                self.status = frames.status(payload)
            if kind in (frames.HEADERS, frames.DATA) and flags & frames.END_STREAM:
                found, self.status, self.stream = self.status, None, self.stream + 2
        return found


@dataclasses.dataclass(frozen=True)
class CallerKind:
    """So large a share of the rate, or so many requests a second; on so many connections, 0 for one each."""
    name: str
    told: str
    share: float
    fixed: float
    connections: int
    caller: type
    port: str
    request: bytes

    def rate(self, whole):
        return self.fixed or whole * self.share

    def maker(self, ports):
        return lambda: self.caller(getattr(ports, self.port), self.request)


DIRECT = "direct"
FIELDS = frames.fields("GET", "/good/items/7", "good.example", "https", (("user-agent", "good"), ("accept", "*/*")))
KINDS = (
    CallerKind("get", "GET, kept connections", 0.60, 0, 240, Caller, "plain", GET + b"\r\n"),
    CallerKind("post", "POST of 200 bytes", 0.20, 0, 80, Caller, "plain", POST),
    CallerKind("tls", "GET over TLS", 0.10, 0, 40, SecureCaller, "tls", GET + b"\r\n"),
    CallerKind("http2", "GET over HTTP/2 and TLS", 0.09, 0, 40, Http2Caller, "tls", FIELDS),
    CallerKind("new", "GET, a connection each", 0.01, 0, 0, Caller, "plain", GET + b"Connection: close\r\n\r\n"),
    CallerKind(DIRECT, "the upstream alone", 0, 200, 10, Caller, "upstream", GET + b"\r\n"),
)
