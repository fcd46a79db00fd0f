"""Generated documents and JSON Patches, with what python's `jsonpatch` makes of them: one JSON text a line."""
import json
import random
import sys

import jsonpatch
import jsonpointer

random.seed(int(sys.argv[1]))
NAMES = ["a", "b", "0", "1", "", "a/b", "m~n", "~1", "__proto__", "\u00e9", "x y"]


def value(depth):
    kind = random.randrange(8 if depth else 6)
    if kind == 6:
        return [value(depth - 1) for _ in range(random.randrange(4))]
    if kind == 7:
        return {random.choice(NAMES): value(depth - 1) for _ in range(random.randrange(4))}
    return [None, True, False, random.randrange(2, 9), random.choice([1.5, 2.0, 1e3]), random.choice(NAMES)][kind]


def places(tree, here=""):
    found = [here]
    if isinstance(tree, dict):
        for name, each in tree.items():
            found += places(each, here + "/" + jsonpointer.escape(name))
    if isinstance(tree, list):
        for index, each in enumerate(tree):
            found += places(each, here + "/" + str(index))
    return found


def place(tree):
    known = random.choice(places(tree))
    if random.randrange(3):
        return known
    return known + "/" + random.choice(["-", "0", "1", "2", "00", "-1", "a", "b", "m~0n", "a~1b"])


def operation(tree):
    kind = random.choice(["add", "add", "remove", "replace", "move", "copy", "test"])
    made = {"op": kind, "path": place(tree)}
    if kind in ("move", "copy"):
        made["from"] = place(tree)
    if kind in ("add", "replace", "test"):
        made["value"] = value(2)
    if kind == "test" and random.randrange(2):
        try:
            made["value"] = jsonpointer.resolve_pointer(tree, made["path"])
        except Exception:
            pass
    return made


def unsettled(tree, each):
    """What `jsonpatch` does otherwise than the standard says: texts are arrays of characters to it, and it cannot
    take out or replace the whole document."""
    for pointer in (each["path"], each.get("from", "/")):
        if pointer == "":
            return True
        at = tree
        for part in jsonpointer.JsonPointer(pointer).parts:
            if isinstance(at, str):
                return True
            try:
                at = at[int(part)] if isinstance(at, list) else at[part]
            except (KeyError, ValueError, IndexError, TypeError):
                break
    return False


def case():
    tree = random.choice([{random.choice(NAMES): value(3) for _ in range(3)}, [value(3) for _ in range(3)]])
    patch = [operation(tree) for _ in range(random.randrange(1, 4))]
    made = {"document": tree, "patch": patch}
    for each in patch:
        if unsettled(tree, each):
            return None
        try:
            tree = jsonpatch.apply_patch(tree, [each])
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException):
            return made
        except TypeError:
            return None
    made["result"] = tree
    return made


done = 0
while done < int(sys.argv[2]):
    made = case()
    if made:
        print(json.dumps(made))
        done += 1
