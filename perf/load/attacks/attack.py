"""What an attack is: what one of its connections does, and how many of them there are at which pace."""
import dataclasses, typing

FOUND = {}  # every attack by its name, in the order in which the families are read


@dataclasses.dataclass(frozen=True)
class Attack:
    """`life` is what one connection does from its beginning to its end; when it ends, another one begins at the pace."""
    name: str
    family: str
    what: str
    connections: int  # at once
    pace: float  # connections begun a second
    life: typing.Callable

    def scaled(self, share):
        """The same with fewer connections; at least one."""
        return dataclasses.replace(self, connections=max(1, round(self.connections * share)), pace=max(1.0, self.pace * share))


def attack(connections, pace):
    """Makes an attack of the coroutine below it: named as it is, told by its first line of documentation."""
    def made(life):
        family = life.__module__.rsplit(".", 1)[-1]
        name = life.__name__.replace("_", "-")
        FOUND[name] = Attack(name, family, life.__doc__.split("\n")[0], connections, pace, life)
        return life
    return made
