"""Part: what each policy costs, added alone to a route without any, in the same gateway and in the same rounds."""
import json, os, re

from bench import STARTING, Target
from fitted import FITTED, INTROSPECTED, INTROSPECTION, SECRET, SECRET_NAME, UPSTREAM, Fitted
from generators import Request
from processes import ROOT, CannotMeasure, probe
from services import upstream

BASE = "no policy"
CONTROL = "no policy again"
BESIDE = "no policy, beside {}"  # the route without, asked for the same right before: neither its request nor the machine's drift count
PAIRED = ("api-call", "rewrite", "upstream-auth")  # that have goals, beside those that are sent something of their own


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
    beside = len(PAIRED) + 1 + sum(not fitted.is_usual() for fitted in FITTED.values())  # the key of key-auth is made later
    return (5 + STARTING + length.warm + count * (_warm(length) + length.side_rounds * length.side_seconds)
            + beside * length.side_rounds * length.side_seconds)


def _warm(length):
    """Of each policy, for its own code; what all share was warmed before."""
    return max(1, min(3, length.warm // 2))


def measure(bench, tier):
    length, rows, left_out = bench.length, [], {}
    examples = pages()
    with bench.rig(tier) as rig:
        with bench.progress.spend(f"{tier} policies: the gateway starts", STARTING):
            gateway = rig.gateway("policies", {SECRET_NAME: SECRET})
            servers = {UPSTREAM: rig.upstream, INTROSPECTION: upstream(rig.processes, rig.place.load, name="introspection", body=INTROSPECTED)}
        sent = {BASE: Fitted(), CONTROL: Fitted()}
        found = {BASE: _route(gateway, BASE, [], Fitted(), servers)}
        for name, example in examples.items():
            fitted = FITTED.get(name, Fitted())
            try:
                route = _route(gateway, name, [fitted.policy or example], fitted, servers)
            except CannotMeasure as refused:
                left_out[name] = str(refused).splitlines()[0][:300]
                continue
            if route.headers or not fitted.is_usual() or name in PAIRED:
                beside = BESIDE.format(name)
                found[beside] = Target(beside, found[BASE].url, gateway.pid, route.headers)
                sent[beside] = fitted
            found[name], sent[name] = route, fitted
        found[CONTROL] = _route(gateway, CONTROL, [], Fitted(), servers)  # last in each round, so that it tells of drift within it
        rig.warm(found[BASE], length.warm, "policies")
        for name, each in list(found.items()):
            if each.url == found[BASE].url and name != BASE:
                continue  # warm already
            sample = _sample(rig, each, sent[name], _warm(length), f"policies: {name}, warm-up")
            if sample["bad"] or sample["errors"]:
                left_out[name] = f"{sample['bad']} of {sample['requests']} answers were not 2xx"
                del found[name]
        for number in range(length.side_rounds):
            for name, each in found.items():
                told = f"policies: {name}, round {number + 1} of {length.side_rounds}"
                rows.append({"round": number, **_sample(rig, each, sent[name], length.side_seconds, told)})
    return {"rows": rows, "left_out": left_out, "definitions": {name: FITTED.get(name, Fitted()).policy or each for name, each in examples.items()}}


def _sample(rig, target, fitted, seconds, label):
    request = Request("POST", "POST", body=fitted.body) if fitted.body else "get"
    return rig.sample(target, request, fitted.connections, seconds, label)


def _route(gateway, name, policies, fitted, servers):
    """A route of its own whose only policy this is. One request comes before the load, so that what is cached is."""
    id = re.sub(r"\W+", "-", name)
    path = f"/{id}/items/7"
    written = json.dumps(policies)
    for stands_for, port in servers.items():
        written = written.replace(stands_for, f"http://127.0.0.1:{port}")
    for resource, content in fitted.resources.items():
        gateway.resource(resource, content)
    gateway.api(id, f"/{id}", servers[UPSTREAM], json.loads(written))
    headers = fitted.headers(path) if callable(fitted.headers) else fitted.headers
    if any(policy["type"] == "key-auth" for policy in policies):
        headers = (f"Authorization: Bearer {gateway.key(id)}", *headers)
    target = Target(name, gateway.url(path), gateway.pid, tuple(headers))
    answered = probe(target.url, target.lines(), body=fitted.body)
    if not answered.startswith(("2", "3")):
        raise CannotMeasure(f"the first request was answered {answered}")
    return target
