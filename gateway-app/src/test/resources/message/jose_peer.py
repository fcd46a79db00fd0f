"""Signs and encrypts with jwcrypto, and opens what others have: keys and messages as JSON, one on each line."""
import json
import os
import sys

from jwcrypto import jwe, jwk, jws

SIGNED = {
    "RS256": {"kty": "RSA", "size": 2048}, "PS256": {"kty": "RSA", "size": 2048},
    "ES256": {"kty": "EC", "crv": "P-256"}, "ES384": {"kty": "EC", "crv": "P-384"},
    "ES512": {"kty": "EC", "crv": "P-521"}, "EdDSA": {"kty": "OKP", "crv": "Ed25519"},
    "HS256": {"kty": "oct", "size": 256}}
ENCRYPTED = {
    "RSA-OAEP": ({"kty": "RSA", "size": 2048}, "A256GCM"), "RSA-OAEP-256": ({"kty": "RSA", "size": 2048}, "A128GCM"),
    "ECDH-ES": ({"kty": "EC", "crv": "P-256"}, "A256GCM"), "ECDH-ES+A128KW": ({"kty": "EC", "crv": "P-384"}, "A256GCM"),
    "A256KW": ({"kty": "oct", "size": 256}, "A256GCM"), "dir": ({"kty": "oct", "size": 256}, "A128CBC-HS256")}


def show(**what):
    print(json.dumps(what))


def signed(key, alg, payload, form):
    header = {"alg": alg, "kid": alg, "cty": "json"}
    if form == "detached":
        header.update({"b64": False, "crit": ["b64"]})
    message = jws.JWS(payload)
    message.add_signature(key, None, json.dumps(header), None)
    if form == "detached":
        message.detach_payload()
    return message.serialize(compact=form != "json")


def encrypted(key, alg, enc, payload, form):
    message = jwe.JWE(payload, json.dumps({"alg": alg, "enc": enc, "cty": "json"}))
    message.add_recipient(key)
    return message.serialize(compact=form != "json")


def make(payload):
    keys = {}
    for alg, shape in SIGNED.items():
        key = keys[alg] = jwk.JWK.generate(kid=alg, **shape)
        other = jwk.JWK.generate(kid=alg, **shape)
        for form in ("compact", "json", "detached"):
            show(case=alg, form=form, good=True, text=signed(key, alg, payload, form))
            show(case=alg, form=form, good=False, text=signed(other, alg, payload, form))
    for alg, (shape, enc) in ENCRYPTED.items():
        key = keys[alg] = jwk.JWK.generate(kid=alg, **shape)
        other = jwk.JWK.generate(kid=alg, **shape)
        for form in ("compact", "json"):
            show(case=alg, form=form, good=True, text=encrypted(key, alg, enc, payload, form))
            show(case=alg, form=form, good=False, text=encrypted(other, alg, enc, payload, form))
    show(keys={alg: {"private": key.export(as_dict=True), "public": key.export_public(as_dict=True)
                     if key["kty"] != "oct" else None} for alg, key in keys.items()})


def opened(key, case, form, text, payload):
    if case in SIGNED:
        message = jws.JWS()
        message.deserialize(text)
        if form == "detached":
            message.verify(key, alg=case, detached_payload=payload)
            return payload
        message.verify(key, alg=case)
        return message.payload.decode()
    message = jwe.JWE()
    message.deserialize(text, key)
    return message.payload.decode()


def main():
    payload = sys.argv[2]
    if sys.argv[1] == "make":
        return make(payload)
    for line in sys.stdin:
        what = json.loads(line)
        key = jwk.JWK(**what["key"])
        show(payload=opened(key, what["case"], what["form"], what["text"], payload))


main()
