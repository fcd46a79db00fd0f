"""What is being measured and how long it still takes, on one line."""
import sys, time


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Progress:
    """Counts down planned seconds; what is planned and what it took correct the rest."""

    def __init__(self, planned, out=sys.stderr, now=time.monotonic):
        self.planned, self.out, self.now = planned, out, now
        self.done, self.began, self.last = 0.0, now(), None
        self.live = out.isatty()

    def left(self):
        """Seconds: the plan's rest, stretched by what the done part took (at least a tenth done)."""
        spent, rest = self.now() - self.began, max(0.0, self.planned - self.done)
        stretch = spent / self.done if self.done > self.planned / 10 else 1.0
        return rest * min(4.0, max(0.5, stretch))

    def show(self, label):
        line = f"[{clock(self.left())} left] {label}"
        if self.live:
            self.out.write("\r\033[K" + line[:118])
        elif line != self.last:
            self.out.write(line + "\n")
        self.out.flush()
        self.last = line

    def spend(self, label, seconds):
        """Shows the step, and counts its planned seconds as done afterwards: `with progress.spend("warm-up", 10):`"""
        return _Step(self, label, seconds)

    def end(self):
        if self.live:
            self.out.write("\r\033[K")
            self.out.flush()


class _Step:
    def __init__(self, progress, label, seconds):
        self.progress, self.label, self.seconds = progress, label, seconds

    def __enter__(self):
        self.progress.show(self.label)

    def __exit__(self, *_):
        self.progress.done += self.seconds
