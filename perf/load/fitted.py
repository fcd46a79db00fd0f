"""What each policy is measured with, where its page's example alone would refuse the load, or do nothing with it."""
import base64, dataclasses, hmac, json, time

USUAL = 100  # connections
MANY = {"requests": 1000000, "per": "1s", "by": "api"}
USER = {"name": "alice", "password": "$2b$10$wn1Osx3Ca9SZZes.FHPIg.NQaA1E57RIFccgX1SexyyLmD89Et1W2"}
USER_LOGIN = "Authorization: Basic YWxpY2U6YmVuY2htYXJr"
SECRET_NAME, SECRET = "GATEWAY_SECRET_BENCH", "only-for-the-benchmark-and-nothing-else-at-all"
SHARED_SECRET = {"env": SECRET_NAME}
UPSTREAM = "http://upstream"  # stands for the benchmark's upstream in policies that call one
INTROSPECTION = "http://introspection"  # stands for a server that answers INTROSPECTED
INTROSPECTED = '{"active": true, "sub": "bench", "aud": "orders", "scope": "orders.read"}'
FEW = 10  # connections of what is long work: 64 of an API may wait for workers, and more is refused
JSON, XML = "Content-Type: application/json", "Content-Type: application/xml"
ORDER = '{"id": 7, "customer": "alice", "items": [{"sku": "A-1", "price": 3}, {"sku": "B-2", "price": 4}]}'
ORDER_SCHEMA = {"type": "object", "required": ["id", "customer", "items"], "additionalProperties": False, "properties": {
    "id": {"type": "integer"}, "customer": {"type": "string"}, "items": {"type": "array", "maxItems": 100, "items": {
        "type": "object", "required": ["sku", "price"], "properties": {"sku": {"type": "string"}, "price": {"type": "number"}}}}}}
ORDER_API = {"openapi": "3.0.3", "info": {"title": "orders", "version": "1"}, "paths": {"/items/{id}": {"post": {
    "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
    "requestBody": {"required": True, "content": {"application/json": {"schema": ORDER_SCHEMA}}},
    "responses": {"200": {"description": "taken", "content": {"application/json": {"schema": {
        "type": "object", "required": ["time"], "properties": {"time": {"type": "string"}}}}}}}}}}}
ORDER_XML = '<order xmlns="urn:orders" id="7"><item sku="A-1" price="3"/><item sku="B-2" price="4"/></order>'
ORDER_SOAP = f'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>{ORDER_XML}</e:Body></e:Envelope>'
ORDER_XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:orders" elementFormDefault="qualified">
 <xs:element name="order"><xs:complexType><xs:sequence><xs:element name="item" maxOccurs="100"><xs:complexType>
  <xs:attribute name="sku" type="xs:string" use="required"/><xs:attribute name="price" type="xs:decimal" use="required"/>
 </xs:complexType></xs:element></xs:sequence><xs:attribute name="id" type="xs:integer" use="required"/></xs:complexType></xs:element>
</xs:schema>"""
ORDER_XSL = """<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:o="urn:orders">
 <xsl:param name="caller"/>
 <xsl:template match="/o:order"><total caller="{$caller}"><xsl:value-of select="sum(o:item/@price)"/></total></xsl:template>
</xsl:stylesheet>"""
# The key and the message of RFC 7515, appendix A.3
PARTNER = {"keys": [{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
SIGNED = ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
          "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")


@dataclasses.dataclass(frozen=True)
class Fitted:
    policy: dict | None = None  # None: as on its page
    headers: object = ()  # "Name: value" lines, or what makes them of the path
    body: str = ""  # sent by POST; without one it is GET
    connections: int = USUAL
    resources: dict = dataclasses.field(default_factory=dict)  # that the policy names: {id: content}

    def is_usual(self):
        """Whether it is sent what the route without any policy is."""
        return not self.headers and not self.body and self.connections == USUAL


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


FITTED = {
    "key-auth": Fitted({"type": "key-auth"}),
    "basic-auth": Fitted({"type": "basic-auth", "users": [USER]}, (USER_LOGIN,)),
    "cors": Fitted({"type": "cors", "allowedOrigins": ["https://app.example.com"]}, ("Origin: https://app.example.com",)),
    "ip-filter": Fitted({"type": "ip-filter", "allow": ["10.0.0.0/8", "127.0.0.0/8"], "deny": ["10.0.0.13"]}),
    "path-rules": Fitted({"type": "path-rules", "block": [{"path": "/admin"}], "allow": [{"path": "/items/{id}"}]}),
    "rate-limit": Fitted({"type": "rate-limit", **MANY}),
    "quota": Fitted({"type": "quota", "requests": 1000000000, "per": "30d", "by": "api"}),
    "request-size-limit": Fitted({"type": "request-size-limit", "max": "64KiB"}),
    "concurrency-limit": Fitted({"type": "concurrency-limit", "requests": 1000, "by": "api"}),
    "authorize": Fitted({"type": "authorize", "rules": [{"paths": ["/admin"], "tags": ["admin"]}], "otherwise": "allow"}),
    "api-call": Fitted({"type": "api-call", "name": "profile", "url": f"{UPSTREAM}/profile", "cache": {"for": "5m"},
                        "take": {"header.X-Time": "/time"}}),
    "upstream-auth": Fitted({"type": "upstream-auth", "basic": {"user": "gateway", "password": SHARED_SECRET}}),
    "script": Fitted({"type": "script", "source": "request.headers['X-Segment'] = 'gold';"}, connections=FEW),
    "jwt": Fitted({"type": "jwt", "issuers": [{"name": "bench", "secret": SHARED_SECRET, "algorithms": ["HS256"], "audiences": ["orders"]}]},
                  lambda _: (f"Authorization: Bearer {_token()}",)),
    "http-signature": Fitted({"type": "http-signature", "cover": ["@method", "@path"], "maxAge": "1h",
                              "keys": [{"id": "bench", "algorithm": "hmac-sha256", "secret": SHARED_SECRET}]}, _signature),
    "oauth2-introspection": Fitted({"type": "oauth2-introspection", "url": f"{INTROSPECTION}/introspect", "audiences": ["orders"],
                                    "client": {"id": "gateway", "secret": SHARED_SECRET}, "consumer": {"id": "sub", "tags": "scope"}},
                                   ("Authorization: Bearer opaque-token-of-the-benchmark",)),
    "webhook-verify": Fitted({"type": "webhook-verify", "form": "github", "secrets": [SHARED_SECRET]},
                             (JSON, f"X-Hub-Signature-256: sha256={_keyed(ORDER).hex()}"), ORDER),
    "graphql-guard": Fitted(None, (JSON,), json.dumps({"query": "query Order($id: ID!) { order(id: $id) { id items { sku price } } }", "variables": {"id": "7"}})),
    "openapi-validation": Fitted({"type": "openapi-validation", "document": {"resource": "orders.openapi.json"}, "request": "enforce", "response": "report",
                                  "unknownPaths": "refuse", "basePath": "/openapi-validation"}, (JSON,), ORDER,
                                 resources={"orders.openapi.json": json.dumps(ORDER_API)}),
    "xml-schema": Fitted(None, (XML,), ORDER_SOAP, resources={"order.xsd": ORDER_XSD}),
    "xslt": Fitted(None, (XML,), ORDER_XML, FEW, {"order.xsl": ORDER_XSL}),
    "jose": Fitted(None, ("Content-Type: application/jose",), SIGNED, resources={"partner-1.jwks": json.dumps(PARTNER)}),
}
