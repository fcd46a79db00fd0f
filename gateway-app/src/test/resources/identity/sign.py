"""Signs tokens with jwcrypto: a key set on the first line, then a name and a token on each."""
import json
import sys
import time

from jwcrypto import jwk, jws

KEYS = {
    "RS256": {"kty": "RSA", "size": 2048},
    "PS512": {"kty": "RSA", "size": 3072},
    "ES256": {"kty": "EC", "crv": "P-256"},
    "ES384": {"kty": "EC", "crv": "P-384"},
    "ES512": {"kty": "EC", "crv": "P-521"},
    "EdDSA": {"kty": "OKP", "crv": "Ed25519"},
}


def token(key, header, claims):
    signed = jws.JWS(json.dumps(claims).encode())
    signed.add_signature(key, None, json.dumps(header), None)
    return signed.serialize(compact=True)


def main():
    issuer = sys.argv[1]
    secret = sys.argv[2]
    keys = {alg: jwk.JWK.generate(kid=alg, **shape) for alg, shape in KEYS.items()}
    print(json.dumps({"keys": [key.export_public(as_dict=True) for key in keys.values()]}))
    now = int(time.time())
    claims = {"iss": issuer, "sub": "alice", "aud": ["orders", "billing"], "iat": now, "exp": now + 600}
    for alg, key in keys.items():
        print("good", token(key, {"alg": alg, "kid": alg, "typ": "at+jwt"}, claims))
        print("good", token(key, {"alg": alg}, claims))
        print("bad", token(jwk.JWK.generate(kid=alg, **KEYS[alg]), {"alg": alg, "kid": alg}, claims))
        print("bad", token(key, {"alg": alg, "kid": alg}, {**claims, "exp": now - 600}))
        print("bad", token(key, {"alg": alg, "kid": alg}, {**claims, "aud": "billing"}))
        changed = token(key, {"alg": alg, "kid": alg}, claims).split(".")
        other = token(key, {"alg": alg, "kid": alg}, {**claims, "sub": "bob"}).split(".")
        print("bad", ".".join([changed[0], other[1], changed[2]]))
    public = keys["RS256"].export_to_pem()
    print("bad", token(jwk.JWK.from_password(public.decode()), {"alg": "HS256", "kid": "RS256"}, claims))
    shared = jwk.JWK.from_password(secret)
    for alg in ["HS256", "HS384", "HS512"]:
        print("shared", token(shared, {"alg": alg}, {**claims, "iss": "https://shared.example"}))


main()
