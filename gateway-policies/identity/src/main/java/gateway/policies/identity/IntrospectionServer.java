package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyUrls;
import gateway.service.CallTarget;
import java.net.URI;

/// The server that judges tokens, and as whom it is asked.
record IntrospectionServer(URI url, CallTarget target, TokenClient client) {
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
                url, target, TokenClient.read(node.field("client", "who the gateway is to that server"), target));
    }
}
