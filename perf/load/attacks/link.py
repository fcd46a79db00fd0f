"""One connection of an attacker: in the clear or over TLS, sending what it likes and reading when it likes."""
import asyncio, dataclasses, select, socket, ssl

PATIENCE = 5  # seconds for a connection or a handshake
ESTABLISHED = 1  # of the kernel's tcp_info
MORE = 65536


class Ended(Exception):
    """The connection is no more; the message says how it ended."""


@dataclasses.dataclass(frozen=True)
class Place:
    """Where the gateway listens, and what its admin plane wants to hear."""
    plain: int
    secure: int
    admin: int
    token: str = ""


def context(*protocols):
    """TLS that believes every certificate: the gateway is on this machine."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    if protocols:
        made.set_alpn_protocols(list(protocols))
    return made


class Link:
    """Made by the swarm for one life. What goes wrong is Ended, which ends the life and is counted by its words."""

    def __init__(self, swarm, number, source):
        self.swarm, self.number, self.source, self.place = swarm, number, source, swarm.place
        self.loop, self.socket, self.tls, self.given_up = asyncio.get_running_loop(), None, None, None

    def tell(self, what):
        """Counts something that the gateway did."""
        self.swarm.tell(what)

    async def connect(self, port=None, receive_buffer=None):
        """A connection in the clear."""
        self.socket = socket.socket()
        self.socket.setblocking(False)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.bind((self.source, 0))
        await self._patiently(self.loop.sock_connect(self.socket, ("127.0.0.1", port or self.place.plain)), "no connection")
        self.swarm.connected(self)

    async def connect_tls(self, *protocols, receive_buffer=None):
        """A connection over TLS whose handshake is done."""
        await self.connect(self.place.secure, receive_buffer)
        await self._patiently(self._shake_hands(protocols), "no handshake")
        self.tell("handshakes")

    async def hello(self, *protocols):
        """The ClientHello that such a handshake begins with, not sent."""
        self._begin_tls(protocols)
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return self.outgoing.read()

    async def send(self, data):
        """Sends all of it, however long that takes."""
        if self.tls:
            self.tls.write(data)
            data = self.outgoing.read()
        await self.send_raw(data)

    def sealed(self, data):
        """The record of TLS that `send` would send."""
        self.tls.write(data)
        return self.outgoing.read()

    async def send_raw(self, data):
        try:
            await self.loop.sock_sendall(self.socket, data)
        except OSError as why:
            raise Ended("reset" if isinstance(why, (ConnectionResetError, BrokenPipeError)) else str(why.strerror)) from None

    async def send_slowly(self, data, step, pause):
        """So many bytes, a pause, and so on. Ends early when the gateway does."""
        for at in range(0, len(data), step):
            await self.send(data[at:at + step])
            await self.rest(pause)

    async def rest(self, seconds):
        """Does nothing for a while; what comes meanwhile is read and counted by `until_closed` alone."""
        await asyncio.sleep(seconds)

    async def receive(self):
        """What came, at least a byte of it."""
        while True:
            if self.tls:
                try:
                    data = self.tls.read(MORE)
                    if data:
                        return data
                    raise Ended("closed")
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLError:
                    raise Ended("closed") from None
            data = await self._receive_raw()
            if not self.tls:
                return data
            self.incoming.write(data)

    async def until_closed(self, take=None):
        """Reads until the gateway ends the connection; `take` is told what came, else statuses of HTTP/1.1 are counted."""
        take = take or self.statuses
        while True:
            take(await self.receive())

    async def until_raw_closed(self):
        """The same of a connection on which TLS has stopped."""
        while True:
            await self._receive_raw()

    def statuses(self, data):
        if data.startswith(b"HTTP/1.1 "):
            self.tell(data[9:12].decode(errors="replace"))

    async def taste(self):
        """Reads one byte, raw."""
        await self._receive_raw(1)

    async def glance(self, take):
        """Reads what has come already, if anything has."""
        look = select.poll()
        look.register(self.socket, select.POLLIN)
        if look.poll(0):
            take(await self.receive())

    async def unread(self):
        """Reads nothing until the kernel knows that the connection has ended: the swarm looks at it now and then."""
        self.given_up = self.loop.create_future()
        self.swarm.unread.add(self)
        await self.given_up

    def stands(self):
        return self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == ESTABLISHED

    def close(self):
        if self.socket:
            self.socket.close()

    async def _shake_hands(self, protocols):
        self._begin_tls(protocols)
        while True:
            try:
                self.tls.do_handshake()
                await self.send_raw(self.outgoing.read())
                return
            except ssl.SSLWantReadError:
                await self.send_raw(self.outgoing.read())
                self.incoming.write(await self._receive_raw())
            except ssl.SSLError:
                raise Ended("handshake refused") from None

    def _begin_tls(self, protocols):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = self.swarm.context(protocols).wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")

    async def _receive_raw(self, most=MORE):
        try:
            data = await self.loop.sock_recv(self.socket, most)
        except OSError as why:
            raise Ended("reset" if isinstance(why, ConnectionResetError) else str(why.strerror)) from None
        if not data:
            raise Ended("closed")
        return data

    async def _patiently(self, awaited, what):
        """Not by `wait_for`, which loses a cancellation that comes as the awaited ends."""
        task = asyncio.ensure_future(awaited)
        try:
            done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        finally:
            task.cancel()
        if not done:
            raise Ended(what)
        try:
            task.result()
        except OSError as why:
            raise Ended("refused" if isinstance(why, ConnectionRefusedError) else what) from None
