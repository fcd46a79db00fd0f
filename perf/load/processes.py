"""Processes of a measurement: started on chosen cores, asked for their CPU time and memory, ended with all their children."""
import contextlib, os, shutil, signal, socket, subprocess, tempfile, time, urllib.error, urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class CannotMeasure(Exception):
    """What a person has to do something about; the message says what."""


def end_in_order():
    """Lets SIGTERM unwind like Ctrl-C, so that what was started is ended and its folders and groups removed."""
    def unwind(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, unwind)


def children():
    """Every process's children, from one pass over /proc."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    found.setdefault(int(stat.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
            except (FileNotFoundError, ProcessLookupError):
                pass
    return found


def tree(pid):
    """The process and all below it, parents first."""
    kin, found, todo = children(), [], [pid]
    while todo:
        found.append(todo.pop())
        todo += kin.get(found[-1], [])
    return found


def cpu_seconds(pid):
    """User and system time of the process tree since it began; the kernel counts in hundredths of a second."""
    ticks = 0
    for each in tree(pid):
        try:
            with open(f"/proc/{each}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return ticks / TICKS


def own_seconds():
    """CPU time of this process, of everything that it started and of what those started, ended or not."""
    ended = os.times()
    return ended.user + ended.system + ended.children_user + ended.children_system + sum(
        cpu_seconds(child) for child in children().get(os.getpid(), []))


def rss_mib(pid):
    """Resident memory of the process tree; pages that processes share are counted for each."""
    pages = 0
    for each in tree(pid):
        try:
            with open(f"/proc/{each}/statm") as statm:
                pages += int(statm.read().split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return pages * PAGE // 2**20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def status(url, headers=None, timeout=5):
    """Status of one GET, whatever it is; OSError when nothing answers."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {}), timeout=timeout) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


class _Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # a redirect is the answer


def probe(url, headers=None, timeout=5, body=""):
    """Status and the first words of the answer to one GET, or to a POST of the body, to see what a bad one says."""
    request = urllib.request.Request(url, body.encode() or None, headers or {})
    try:
        with urllib.request.build_opener(_Unfollowed).open(request, timeout=timeout) as answer:
            return str(answer.status)
    except urllib.error.HTTPError as refused:
        return f"{refused.code} {refused.read(300).decode(errors='replace')}"


def cores(numbers):
    return ",".join(str(n) for n in numbers)


def tail(log, lines=15):
    try:
        with open(log, errors="replace") as file:
            return "".join(file.readlines()[-lines:]).rstrip()
    except OSError:
        return ""


class Processes:
    """What one measurement has started, in a folder of its own. Use as a context: leaving it ends and removes all."""

    def __init__(self, name="perf"):
        self.folder = tempfile.mkdtemp(prefix=f"{name}-")
        self.started = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(list(self.started)):
            self.stop(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def spawn(self, on, command, log=None, env=None, groups=()):
        """Starts a command on the cores named, in the control groups given. Without a log its output is dropped."""
        line = ["taskset", "-c", cores(on), *command]
        if groups:
            join = 'for group in $1; do echo $$ >"$group/cgroup.procs" || exit 99; done; shift; exec "$@"'
            line = ["sh", "-c", join, "join", " ".join(groups), *line]
        with open(log or os.devnull, "w") as output:
            process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True, env={**os.environ, **(env or {})})
        process.log = log
        self.started.append(process)
        return process

    def first(self, process):
        """Has it, and the workers that it has by now, run before all others on its cores, as far as this user may say so:
        in real time, else by its session."""
        try:
            for pid in tree(process.pid):
                os.sched_setscheduler(pid, os.SCHED_RR, os.sched_param(1))
        except OSError:
            self._claim(process, -20)

    def last(self, process):
        """Has it run after all others on its cores. Its session has: where the kernel groups processes by session, each has
        an equal share, whatever its processes' own nice value and class say."""
        self._claim(process, 19)

    def _claim(self, process, nice):
        with contextlib.suppress(OSError):
            with open(f"/proc/{process.pid}/autogroup", "w") as autogroup:
                autogroup.write(str(nice))

    def await_port(self, process, port, name, seconds=60, path="/"):
        """Returns when the port speaks HTTP."""
        def speaks():
            status(f"http://127.0.0.1:{port}{path}", timeout=1)
            return True
        self.wait(process, speaks, f"{name} on port {port}", seconds)

    def wait(self, process, condition, what, seconds=60):
        """Returns when the condition holds; OSError and ValueError count as not yet."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return
            except (OSError, ValueError):
                pass
            if process.poll() is not None:
                raise CannotMeasure(f"{what}: exited with {process.returncode}\n{tail(process.log or '')}")
            time.sleep(0.1)
        raise CannotMeasure(f"{what}: not ready after {seconds} s\n{tail(process.log or '')}")

    def stop(self, process, seconds=10):
        self.started = [each for each in self.started if each is not process]
        for end in (signal.SIGTERM, signal.SIGKILL):
            for pid in reversed(tree(process.pid)):
                try:
                    os.kill(pid, end)
                except ProcessLookupError:
                    pass
            try:
                process.wait(seconds)
                return
            except subprocess.TimeoutExpired:
                continue
