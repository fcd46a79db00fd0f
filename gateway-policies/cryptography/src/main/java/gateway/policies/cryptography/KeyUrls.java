package gateway.policies.cryptography;

import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.net.UrlForm;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/// URLs of servers that tell keys or judge tokens.
public final class KeyUrls {
    private static final String FORM = "{\"properties\": {\"NAME\": {" + JsonSchema.pattern(UrlForm.PLACE) + "}}}";
    private static final String SECRET = """
            {"if": {"properties": {"allowPlaintext": {"not": {"const": true}}}},
             "then": {"properties": {"NAME": {PATTERN}}}}""".replace("PATTERN", JsonSchema.pattern(UrlForm.SECRET));

    /// For [ConfigNode#obeys]: a URL of no field beside `allowPlaintext`.
    public static final String ALONE =
            "{\"allOf\": [{" + JsonSchema.pattern(UrlForm.PLACE) + "}, {" + JsonSchema.pattern(UrlForm.SECRET) + "}]}";

    private static final String TLS = """
            {"if": {"required": ["tls"], "properties": {"tls": {"type": "object"}}},
             "then": {"properties": {"NAME": {"pattern": "^https:"}}}}""";

    private KeyUrls() {}

    /// `http` only to this machine, or where `plaintext` says so: who can change what such a server tells can sign.
    public static Optional<URI> read(ConfigNode node, boolean plaintext) {
        String text = node.requiredText();
        if (text.isEmpty()) return Optional.empty();
        Optional<URI> url = parse(text);
        if (url.isEmpty()) {
            node.problem("expected a URL such as \"https://id.example.com/keys\", got \"" + text + '"');
            return Optional.empty();
        }
        boolean clear = url.get().getScheme().equals("http");
        if (clear && !plaintext && !isLoopback(url.get())) {
            node.problem("expected https://, since \"allowPlaintext\" is not true, got http://");
            return Optional.empty();
        }
        return url;
    }

    /// For descriptions: what is said of the URL in the field `name` of `node`, and of its scheme by `allowPlaintext`
    /// beside it.
    public static void describe(ConfigNode node, String name) {
        node.obeys(FORM.replace("NAME", name))
                .obeys(SECRET.replace("NAME", name))
                .obeys(TLS.replace("NAME", name));
    }

    /// The same where `condition`, a schema, holds of `node`.
    static void describe(ConfigNode node, String condition, String name) {
        String all = "{\"allOf\": [" + FORM + ", " + SECRET + ", " + TLS + "]}";
        node.obeys("{\"if\": " + condition + ", \"then\": " + all.replace("NAME", name) + "}");
    }

    private static Optional<URI> parse(String text) {
        try {
            var url = new URI(text);
            boolean sound = ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null
                    && url.getPort() != 0
                    && url.getPort() <= 65_535
                    && url.toASCIIString().equals(text);
            return sound ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /// Scheme, host and port.
    public static URI origin(URI url) {
        return URI.create(url.getScheme() + "://" + url.getRawAuthority());
    }

    /// Path and query, as requests name them.
    public static String pathOf(URI place) {
        String path = place.getRawPath() == null || place.getRawPath().isEmpty() ? "/" : place.getRawPath();
        return place.getRawQuery() == null ? path : path + '?' + place.getRawQuery();
    }

    public static boolean isLoopback(URI url) {
        String host = url.getHost();
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }
}
