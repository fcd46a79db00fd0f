"""Part: what each policy costs, added alone to a route without any, in the same gateway and in the same rounds."""
import json, os, re

from bench import STARTING, Target
from processes import ROOT, CannotMeasure, probe

BASE = "no policy"
CONTROL = "no policy again"
MANY = {"requests": 1000000, "per": "1s", "by": "api"}
USER = {"name": "alice", "password": "$2b$10$wn1Osx3Ca9SZZes.FHPIg.NQaA1E57RIFccgX1SexyyLmD89Et1W2"}
USER_LOGIN = "Authorization: Basic YWxpY2U6YmVuY2htYXJr"
FITTED = {  # where the page's example would refuse the load, or do nothing with it: (policy, headers)
    "key-auth": ({"type": "key-auth"}, ()),
    "basic-auth": ({"type": "basic-auth", "users": [USER]}, (USER_LOGIN,)),
    "cors": ({"type": "cors", "allowedOrigins": ["https://app.example.com"]}, ("Origin: https://app.example.com",)),
    "ip-filter": ({"type": "ip-filter", "allow": ["10.0.0.0/8", "127.0.0.0/8"], "deny": ["10.0.0.13"]}, ()),
    "path-rules": ({"type": "path-rules", "block": [{"path": "/admin"}], "allow": [{"path": "/items/{id}"}]}, ()),
    "rate-limit": ({"type": "rate-limit", **MANY}, ()),
    "quota": ({"type": "quota", "requests": 1000000000, "per": "30d", "by": "api"}, ()),
    "request-size-limit": ({"type": "request-size-limit", "max": "64KiB"}, ()),
}


def pages(folder=f"{ROOT}/docs/policies"):
    """The first JSON example of each policy's page: {type: policy}."""
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}") as file:
            for block in re.findall(r"```json\n(.*?)```", file.read(), re.S):
                try:
                    policy = json.loads(block)
                except ValueError:
                    continue
                if isinstance(policy, dict) and policy.get("type") == name.removesuffix(".md"):
                    found.setdefault(policy["type"], policy)
    return found


def seconds(length):
    count = len(pages()) + 2
    return 5 + STARTING + length.warm + count * (_warm(length) + length.side_rounds * length.side_seconds)


def _warm(length):
    """Of each policy, for its own code; what all share was warmed before."""
    return max(1, min(3, length.warm // 2))


def measure(bench, tier):
    length, rows, left_out = bench.length, [], {}
    with bench.rig(tier) as rig:
        with bench.progress.spend(f"{tier} policies: the gateway starts", STARTING):
            gateway = rig.gateway("policies")
        found = {BASE: _route(rig, gateway, BASE, [], ())}
        for name, example in pages().items():
            policy, headers = FITTED.get(name, (example, ()))
            try:
                found[name] = _route(rig, gateway, name, [policy], headers)
            except CannotMeasure as refused:
                left_out[name] = str(refused).splitlines()[0][:300]
        found[CONTROL] = _route(rig, gateway, CONTROL, [], ())  # last in each round, so that it tells of drift within it
        rig.warm(found[BASE], length.warm, "policies")
        for name, each in list(found.items()):
            sample = rig.sample(each, "get", 100, _warm(length), f"policies: {name}, warm-up")
            if sample["bad"] or sample["errors"]:
                left_out[name] = f"{sample['bad']} of {sample['requests']} answers were not 2xx"
                del found[name]
        for number in range(length.side_rounds):
            for name, each in found.items():
                told = f"policies: {name}, round {number + 1} of {length.side_rounds}"
                rows.append({"round": number, **rig.sample(each, "get", 100, length.side_seconds, told)})
    return {"rows": rows, "left_out": left_out, "definitions": {name: FITTED.get(name, (each, ()))[0] for name, each in pages().items()}}


def _route(rig, gateway, name, policies, headers):
    """A route of its own whose only policy this is. One request comes before the load, so that what is cached is."""
    id = re.sub(r"\W+", "-", name)
    gateway.api(id, f"/{id}", rig.upstream, policies)
    if any(policy["type"] == "key-auth" for policy in policies):
        headers = (f"Authorization: Bearer {gateway.key(id)}", *headers)
    target = Target(name, gateway.url(f"/{id}/items/7"), gateway.pid, tuple(headers))
    answered = probe(target.url, target.lines())
    if not answered.startswith("2"):
        raise CannotMeasure(f"the first request was answered {answered}")
    return target
