"""A timer that an epoll can wait for, to some ten microseconds; `epoll.poll` itself knows milliseconds alone."""
import ctypes, os, time

NONBLOCK, ABSOLUTE = os.O_NONBLOCK, 1
LIBC = ctypes.CDLL(None, use_errno=True)


class Moment(ctypes.Structure):
    """The kernel's itimerspec."""
    _fields_ = [(name, ctypes.c_long) for name in ("every_seconds", "every_nanos", "seconds", "nanos")]


class Alarm:
    """Readable from the moment that it was set to, until it is set to a later one."""

    def __init__(self):
        self.number, self.moment = LIBC.timerfd_create(time.CLOCK_MONOTONIC, NONBLOCK), Moment()
        if self.number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.place = ctypes.byref(self.moment)

    def fileno(self):
        return self.number

    def set(self, at):
        """To a moment of `time.monotonic`."""
        self.moment.seconds = whole = int(at)
        self.moment.nanos = int((at - whole) * 1e9)
        LIBC.timerfd_settime(self.number, ABSOLUTE, self.place, None)

    def close(self):
        os.close(self.number)
