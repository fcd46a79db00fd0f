package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyUrls;
import gateway.service.CallTarget;
import java.net.URI;
import java.util.Optional;

/// The server that judges tokens, and as whom it is asked.
///
/// @param name stands in the ids of callers; empty: the host, and the path of the issuer that the answer names
record IntrospectionServer(URI url, CallTarget target, TokenClient client, Optional<String> name) {
    private static final URI STAND_IN = URI.create("https://localhost");

    static IntrospectionServer read(ConfigNode node) {
        boolean plaintext = node.field("allowPlaintext", "let `url` be `http://` to other machines than this one")
                .bool(false);
        URI url = KeyUrls.read(
                        node.field("url", "where tokens are judged (RFC 7662)").form("URL"), plaintext)
                .orElse(STAND_IN);
        KeyUrls.describe(node, "url");
        CallTarget target = CallTargetReader.of(
                KeyUrls.origin(url), node.field("tls", "how the server is spoken to, as in an API's `upstream`"));
        return new IntrospectionServer(
                url,
                target,
                TokenClient.read(node.field("client", "who the gateway is to that server"), target),
                IssuerName.read(node.field("name", "stands in the ids of callers: `oauth2:<name>/…`")
                        .unlessGiven("the host of `url`, and the path of `iss`")));
    }

    /// What the id of a caller begins with.
    ///
    /// @param issuer that the answer names; empty text: none
    /// @param several whether tokens of more than one are taken, which may be those of other hosts
    String prefix(String issuer, boolean several) {
        if (name.isPresent()) return "oauth2:" + name.get() + '/';
        String host = several && !issuer.isEmpty() ? IssuerName.host(issuer) : url.getHost();
        return "oauth2:" + host + IssuerName.path(issuer) + '/';
    }
}
