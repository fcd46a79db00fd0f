"""Signs requests after the draft, with httpsig and as Tyk's documentation tells its clients to: one on each line."""
import base64
import email.utils
import hashlib
import hmac
import json
import sys
import time
import urllib.parse

from httpsig.sign import HeaderSigner


def show(good, name, method, target, headers, body=""):
    print(json.dumps({
        "good": good, "name": name, "method": method, "target": target, "headers": headers, "body": body}))


def by_httpsig(secret, host, algorithm, date, target="/a?x=1"):
    names = ["(request-target)", "host", "date"]
    signer = HeaderSigner("httpsig-" + algorithm, secret, algorithm=algorithm, headers=names)
    signed = signer.sign({"host": host, "date": date}, method="GET", path=target)
    return {"Date": date, "Authorization": signed["authorization"]}


def by_tyk(secret, digest, algorithm, date, field="Date", key="tyk-" + "hmac-sha256"):
    text = field.lower() + ": " + date
    signature = base64.b64encode(hmac.new(secret.encode(), text.encode(), digest).digest()).decode()
    encoded = urllib.parse.quote(signature, safe="")
    return {field: date, "Authorization":
            f'Signature keyId="{key}",algorithm="{algorithm}",signature="{encoded}"'}


def main():
    host, secret = sys.argv[1], sys.argv[2]
    now = email.utils.formatdate(usegmt=True)
    old = email.utils.formatdate(time.time() - 400, usegmt=True)
    for algorithm in ("hmac-sha256", "hmac-sha512"):
        show(True, "httpsig " + algorithm, "GET", "/a?x=1", by_httpsig(secret, host, algorithm, now))
        show(False, "httpsig other query", "GET", "/a?x=2", by_httpsig(secret, host, algorithm, now))
        show(False, "httpsig other method", "DELETE", "/a?x=1", by_httpsig(secret, host, algorithm, now))
        show(False, "httpsig old", "GET", "/a?x=1", by_httpsig(secret, host, algorithm, old))
        show(False, "httpsig other secret", "GET", "/a?x=1", by_httpsig(secret[::-1], host, algorithm, now))
    show(True, "tyk", "GET", "/a", by_tyk(secret, hashlib.sha256, "hmac-sha256", now))
    show(True, "tyk aux", "POST", "/b", by_tyk(secret, hashlib.sha256, "hmac-sha256", now, "x-aux-date"), "text")
    show(True, "tyk sha1", "GET", "/a", by_tyk(secret, hashlib.sha1, "hmac-sha1", now, key="tyk-hmac-sha1"))
    show(False, "tyk weaker", "GET", "/a", by_tyk(secret, hashlib.sha1, "hmac-sha1", now))
    show(False, "tyk old", "GET", "/a", by_tyk(secret, hashlib.sha256, "hmac-sha256", old))
    show(False, "tyk other secret", "GET", "/a", by_tyk(secret[::-1], hashlib.sha256, "hmac-sha256", now))


main()
