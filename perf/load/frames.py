"""HTTP/2 (RFC 9113) as far as clients of a test need it: frames, and field sections without compression (RFC 7541)."""
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
TABLE_SIZE, STREAMS, INITIAL_WINDOW = 1, 3, 4  # settings
ERRORS = ("NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
          "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED")
STATUSES = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}  # of the static table
METHODS = {"GET": b"\x82", "POST": b"\x83"}


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(values):
    return frame(SETTINGS, payload=b"".join(struct.pack(">HI", name, value) for name, value in values.items()))


def opening(window, connection_window=0):
    """What a client says first: the preface, that it keeps no table, the window of each stream, and more for the connection."""
    more = frame(WINDOW_UPDATE, payload=struct.pack(">I", connection_window)) if connection_window else b""
    return PREFACE + settings({TABLE_SIZE: 0, INITIAL_WINDOW: window}) + more


def fields(method, path, authority, scheme="http", more=()):
    """A field section; every value is a literal that no table takes up."""
    lines = [(b"\x01", authority), (b"\x04", path)]
    text = METHODS[method] + (b"\x87" if scheme == "https" else b"\x86") + b"".join(index + _text(value) for index, value in lines)
    return text + b"".join(b"\x00" + _text(name) + _text(value) for name, value in more)


def _text(value):
    data = value.encode() if isinstance(value, str) else value
    return _length(len(data)) + data


def _length(value):
    """An integer with a prefix of 7 bits (RFC 7541 §5.1)."""
    if value < 127:
        return bytes([value])
    value, made = value - 127, [127]
    while value >= 128:
        made.append(value % 128 + 128)
        value //= 128
    return bytes([*made, value])


def status(section):
    """The status that a response's field section begins with; None when it is told otherwise than the gateway does."""
    if section[:1] == b"\x20":  # the size of a table
        section = section[1:]
    if not section:
        return None
    if section[0] & 0x80:
        return STATUSES.get(section[0] & 0x7F)
    digits = section[2:5]
    return int(digits) if section[0] & 0x0F == 8 and section[1] == 3 and digits.isdigit() else None


def error(payload, at=0):
    """The name of the error that a reset (or, from its fifth byte, a GOAWAY) tells."""
    code = int.from_bytes(payload[at:at + 4], "big")
    return ERRORS[code] if code < len(ERRORS) else f"error {code}"


class Frames:
    """The frames in what has come: `for kind, flags, stream, payload in frames.of(data)`."""

    def __init__(self):
        self.rest = b""

    def of(self, data):
        data = self.rest + data if self.rest else data
        at, end = 0, len(data)
        while end - at >= 9:
            length = int.from_bytes(data[at:at + 3], "big")
            if end - at < 9 + length:
                break
            yield data[at + 3], data[at + 4], int.from_bytes(data[at + 5:at + 9], "big") & 0x7FFFFFFF, data[at + 9:at + 9 + length]
            at += 9 + length
        self.rest = data[at:]
