"""Signs requests with http-message-signatures: the public keys on the first line, then a request on each."""
import json
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms

BODY = b'{"hello": "world"}'
ALGORITHMS = {
    "ed25519": algorithms.ED25519,
    "rsa-pss-sha512": algorithms.RSA_PSS_SHA512,
    "rsa-v1_5-sha256": algorithms.RSA_V1_5_SHA256,
    "ecdsa-p256-sha256": algorithms.ECDSA_P256_SHA256,
    "ecdsa-p384-sha384": algorithms.ECDSA_P384_SHA384,
    "hmac-sha256": algorithms.HMAC_SHA256,
}


def private(name):
    if name == "ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    if name.startswith("rsa"):
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return ec.generate_private_key(ec.SECP256R1() if "p256" in name else ec.SECP384R1())


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, keys):
        self.keys = keys

    def resolve_private_key(self, key_id):
        return self.keys[key_id]

    def resolve_public_key(self, key_id):
        return self.keys[key_id].public_key()


class Message:
    def __init__(self, method, url, headers):
        self.method = method
        self.url = url
        self.headers = headers


def request(keys, name, base, nonce, covered, method="GET", target="/a%20b/c?x=1&y=%7e", body=None, headers=None):
    message = Message(method, base + target, dict(headers or {}))
    HTTPMessageSigner(signature_algorithm=ALGORITHMS[name], key_resolver=Keys(keys)).sign(
        message, key_id=name, nonce=nonce, covered_component_ids=covered, body=body)
    return {"method": method, "target": target, "headers": dict(message.headers), "body": (body or b"").decode()}


def show(good, name, each, **changed):
    print(json.dumps({"good": good, "name": name, **each, **changed}))


def main():
    base, secret = sys.argv[1], sys.argv[2]
    keys = {name: private(name) for name in ALGORITHMS if name != "hmac-sha256"}
    print(json.dumps({name: key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
        for name, key in keys.items()}))
    keys["hmac-sha256"] = secret.encode()
    for name in ALGORITHMS:
        plain = ("@method", "@authority", "@path", "@query")
        show(True, name, request(keys, name, base, name + "1", plain))
        show(True, name + " target", request(keys, name, base, name + "2", ("@method", "@target-uri")))
        show(True, name + " parameter", request(
            keys, name, base, name + "3", (*plain, '"@query-param";name="y"', "@scheme", "@request-target")))
        signed = request(keys, name, base, name + "4", (*plain, "content-digest"), "POST", body=BODY)
        show(True, name + " body", signed)
        show(False, name + " again", signed)
        signed = request(keys, name, base, name + "5", (*plain, "content-digest"), "POST", body=BODY)
        show(False, name + " other body", signed, body=BODY.decode().replace("world", "moon!"))
        headers = {"X-List": "a, b", "X-Dictionary": "a=1, b=(1  2);x"}
        signed = request(keys, name, base, name + "6", (*plain, "x-list", '"x-dictionary";key="b"'), headers=headers)
        show(True, name + " fields", signed)
        signed = request(keys, name, base, name + "7", (*plain, "x-list"), headers=headers)
        show(False, name + " other field", signed, headers={**signed["headers"], "X-List": "a, c"})
        show(False, name + " other path", request(keys, name, base, name + "8", plain), target="/a%20b/d?x=1&y=%7e")
        show(False, name + " other writing", request(keys, name, base, name + "9", plain), target="/a%20b/c?x=1&y=~")
        show(False, name + " too little", request(keys, name, base, name + "10", ("@method",)))
        other = {**keys, name: secret[::-1].encode() if name.startswith("hmac") else private(name)}
        show(False, name + " other key", request(other, name, base, name + "11", plain))


main()
