"""CPU and memory limits by control groups, version 1 or 2, where the kernel lets us."""
import os, time

ROOT = "/sys/fs/cgroup"


class Limits:
    """One group with the limits of a tier. `groups` is empty, and `why` says why, where none can be made."""

    def __init__(self, name, cpus, memory_bytes, root=ROOT):
        self.groups, self.why = [], ""
        try:
            if os.path.isdir(f"{root}/cpu") and os.path.isdir(f"{root}/memory"):
                self._set(f"{root}/cpu/{name}", {"cpu.cfs_period_us": 100000, "cpu.cfs_quota_us": cpus * 100000})
                self._set(f"{root}/memory/{name}", {"memory.limit_in_bytes": memory_bytes})
            elif self._delegated(root):
                self._set(f"{root}/{name}", {"cpu.max": f"{cpus * 100000} 100000", "memory.max": memory_bytes})
            else:
                self.why = "no group here may have limits of its own"
        except OSError as refused:
            self.close()
            self.why = f"{refused.strerror} at {refused.filename}"

    def __str__(self):
        return f"taskset alone ({self.why})" if self.why else "taskset and a control group"

    def close(self):
        """Removes the groups once their processes have gone."""
        for group in self.groups:
            for _ in range(50):
                try:
                    os.rmdir(group)
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.1)
        self.groups = []

    def _set(self, group, values):
        os.mkdir(group)
        self.groups.append(group)
        for name, value in values.items():
            with open(f"{group}/{name}", "w") as file:
                file.write(str(value))

    @staticmethod
    def _delegated(root):
        try:
            with open(f"{root}/cgroup.subtree_control") as file:
                return {"cpu", "memory"} <= set(file.read().split())
        except OSError:
            return False
