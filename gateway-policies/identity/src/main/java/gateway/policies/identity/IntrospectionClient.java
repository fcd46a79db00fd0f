package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.service.CallTarget;
import gateway.service.SecretReference;
import java.net.URI;
import java.util.Optional;

/// The server that judges tokens, and as whom it is asked.
///
/// @param id of the gateway as a client there
/// @param secret empty: it is known by the certificate that it shows
record IntrospectionClient(URI url, CallTarget target, String id, Method method, Optional<SecretReference> secret) {
    private static final URI STAND_IN = URI.create("https://localhost");

    /// How a client says who it is (RFC 6749 §2.3.1, RFC 8705 §2).
    enum Method {
        BASIC,
        POST,
        TLS
    }

    static IntrospectionClient read(ConfigNode node) {
        boolean plaintext = node.field("allowPlaintext", "call another machine in the clear too")
                .bool(false);
        URI url = KeyUrls.read(
                        node.field("url", "where tokens are judged (RFC 7662)").form("URL"), plaintext)
                .orElse(STAND_IN);
        var tls = node.field("tls", "how the server is spoken to, as in an API's `upstream`");
        var client = node.field("client", "as whom the gateway asks");
        client.requireObject();
        var method = client.field("method", "how it says who it is: `tls` by the certificate of `tls`")
                .choice(Method.BASIC);
        var secret = client.field("secret", "not with `tls`");
        String id = client.field("id", "of the gateway there").requiredText();
        boolean known = method == Method.TLS;
        if (known == secret.isPresent()) {
            secret.problem(known ? "expected nothing, since the method is tls" : "expected a reference to a secret");
        }
        CallTarget target = CallTargetReader.of(KeyUrls.origin(url), tls);
        boolean shows =
                target.tls().filter(each -> each.certificate().isPresent()).isPresent();
        if (known && !shows) tls.problem("expected a certificate, since the client's method is tls");
        Optional<SecretReference> reference =
                secret.isPresent() && !known ? Optional.of(SecretReader.read(secret)) : Optional.empty();
        client.refuseUnknownFields();
        return new IntrospectionClient(url, target, id, method, reference);
    }
}
