"""What is done to a gateway by those who wish it ill, one module a family: each attack alone is a few lines.

Everything is bounded in count, pace and time and goes to 127.0.0.1 alone."""
from attacks import admin, floods, heads, http2, places, tls  # each adds its attacks to FOUND
from attacks.attack import FOUND

FAMILIES = tuple(dict.fromkeys(each.family for each in FOUND.values()))


def chosen(words):
    """The attacks of these names and families; all of them for none."""
    unknown = [word for word in words if word not in FOUND and word not in FAMILIES]
    if unknown:
        raise ValueError(f"no such attack: {', '.join(unknown)}; there are {', '.join([*FAMILIES, *FOUND])}")
    return [each for each in FOUND.values() if not words or each.name in words or each.family in words]
