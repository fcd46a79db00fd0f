"""Part: what each policy costs, added alone to a route without any, in the same gateway and in the same rounds."""
import base64, hmac, json, os, re, time

from bench import STARTING, Target
from processes import ROOT, CannotMeasure, probe

BASE = "no policy"
CONTROL = "no policy again"
BESIDE = "no policy, beside {}"  # the route without, asked with the same headers right before: neither they nor the machine's drift count
PAIRED = ("api-call", "rewrite", "upstream-auth")  # that have goals, beside those that are sent headers of their own
MANY = {"requests": 1000000, "per": "1s", "by": "api"}
USER = {"name": "alice", "password": "$2b$10$wn1Osx3Ca9SZZes.FHPIg.NQaA1E57RIFccgX1SexyyLmD89Et1W2"}
USER_LOGIN = "Authorization: Basic YWxpY2U6YmVuY2htYXJr"
SECRET_NAME, SECRET = "GATEWAY_SECRET_BENCH", "only-for-the-benchmark-and-nothing-else-at-all"
SHARED_SECRET = {"env": SECRET_NAME}
UPSTREAM = "http://upstream"  # stands for the benchmark's upstream in policies that call one
FITTED = {  # where the page's example would refuse the load, or do nothing with it: (policy, headers)
    "key-auth": ({"type": "key-auth"}, ()),
    "basic-auth": ({"type": "basic-auth", "users": [USER]}, (USER_LOGIN,)),
    "cors": ({"type": "cors", "allowedOrigins": ["https://app.example.com"]}, ("Origin: https://app.example.com",)),
    "ip-filter": ({"type": "ip-filter", "allow": ["10.0.0.0/8", "127.0.0.0/8"], "deny": ["10.0.0.13"]}, ()),
    "path-rules": ({"type": "path-rules", "block": [{"path": "/admin"}], "allow": [{"path": "/items/{id}"}]}, ()),
    "rate-limit": ({"type": "rate-limit", **MANY}, ()),
    "quota": ({"type": "quota", "requests": 1000000000, "per": "30d", "by": "api"}, ()),
    "request-size-limit": ({"type": "request-size-limit", "max": "64KiB"}, ()),
    "concurrency-limit": ({"type": "concurrency-limit", "requests": 1000, "by": "api"}, ()),
    "authorize": ({"type": "authorize", "rules": [{"paths": ["/admin"], "tags": ["admin"]}], "otherwise": "allow"}, ()),
    "api-call": ({"type": "api-call", "name": "profile", "url": f"{UPSTREAM}/profile", "cache": {"for": "5m"},
                  "take": {"header.X-Time": "/time"}}, ()),
    "upstream-auth": ({"type": "upstream-auth", "basic": {"user": "gateway", "password": SHARED_SECRET}}, ()),
    "script": ({"type": "script", "source": "request.headers['X-Segment'] = 'gold';"}, ()),
    "jwt": ({"type": "jwt", "issuers": [{"name": "bench", "secret": SHARED_SECRET, "algorithms": ["HS256"], "audiences": ["orders"]}]},
            lambda _: (f"Authorization: Bearer {_token()}",)),
    "http-signature": ({"type": "http-signature", "cover": ["@method", "@path"], "maxAge": "1h",
                        "keys": [{"id": "bench", "algorithm": "hmac-sha256", "secret": SHARED_SECRET}]}, lambda path: _signature(path)),
}


def _keyed(text):
    return hmac.digest(SECRET.encode(), text.encode(), "sha256")


def _token():
    """A JSON Web Token by HS256, good for a day."""
    claims = {"sub": "bench", "aud": "orders", "exp": int(time.time()) + 86_400}
    signed = ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in ({"alg": "HS256"}, claims))
    return signed + "." + base64.urlsafe_b64encode(_keyed(signed)).decode().rstrip("=")


def _signature(path):
    """The lines of a signature by RFC 9421 of a GET of that path."""
    told = f'("@method" "@path");created={int(time.time())};keyid="bench"'
    signed = base64.b64encode(_keyed(f'"@method": GET\n"@path": {path}\n"@signature-params": {told}')).decode()
    return f"Signature-Input: bench={told}", f"Signature: bench=:{signed}:"


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
    beside = len(PAIRED) + 1 + sum(bool(headers) for _, headers in FITTED.values())  # the key of key-auth is made later
    return (5 + STARTING + length.warm + count * (_warm(length) + length.side_rounds * length.side_seconds)
            + beside * length.side_rounds * length.side_seconds)


def _warm(length):
    """Of each policy, for its own code; what all share was warmed before."""
    return max(1, min(3, length.warm // 2))


def measure(bench, tier):
    length, rows, left_out = bench.length, [], {}
    with bench.rig(tier) as rig:
        with bench.progress.spend(f"{tier} policies: the gateway starts", STARTING):
            gateway = rig.gateway("policies", {SECRET_NAME: SECRET})
        found = {BASE: _route(rig, gateway, BASE, [], ())}
        for name, example in pages().items():
            policy, headers = FITTED.get(name, (example, ()))
            try:
                route = _route(rig, gateway, name, [policy], headers)
            except CannotMeasure as refused:
                left_out[name] = str(refused).splitlines()[0][:300]
                continue
            if route.headers or name in PAIRED:
                beside = BESIDE.format(name)
                found[beside] = Target(beside, found[BASE].url, gateway.pid, route.headers)
            found[name] = route
        found[CONTROL] = _route(rig, gateway, CONTROL, [], ())  # last in each round, so that it tells of drift within it
        rig.warm(found[BASE], length.warm, "policies")
        for name, each in list(found.items()):
            if each.url == found[BASE].url and name != BASE:
                continue  # warm already
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
    path = f"/{id}/items/7"
    policies = json.loads(json.dumps(policies).replace(UPSTREAM, f"http://127.0.0.1:{rig.upstream}"))
    gateway.api(id, f"/{id}", rig.upstream, policies)
    headers = headers(path) if callable(headers) else headers
    if any(policy["type"] == "key-auth" for policy in policies):
        headers = (f"Authorization: Bearer {gateway.key(id)}", *headers)
    target = Target(name, gateway.url(path), gateway.pid, tuple(headers))
    answered = probe(target.url, target.lines())
    if not answered.startswith(("2", "3")):
        raise CannotMeasure(f"the first request was answered {answered}")
    return target
