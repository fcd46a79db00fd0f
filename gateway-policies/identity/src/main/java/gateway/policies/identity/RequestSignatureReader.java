package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import gateway.policies.identity.RequestSignature.Algorithm;
import gateway.service.SecretReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Reads how requests to an upstream are signed.
final class RequestSignatureReader {
    private static final Pattern HOST = Pattern.compile("[a-z0-9.-]{1,253}(:[0-9]{1,5})?");
    private static final Pattern LABEL = Pattern.compile("[a-z*][a-z0-9_.*-]{0,63}"); // a key of RFC 8941 §3.1.2
    private static final Pattern TEXT = Pattern.compile("[\\x20-\\x7E]{1,128}");
    private static final List<String> USUAL =
            List.of("@method", "@authority", "@path", "@query", RequestSignature.DIGEST);
    private static final Set<String> DERIVED = Set.of("@method", "@authority", "@path", "@query");

    /// What is written, or may be, when the request has been signed already.
    private static final Set<String> LATER = Set.of(
            "signature",
            "signature-input",
            "traceparent",
            "tracestate",
            "via",
            "forwarded",
            "x-request-id",
            "x-real-ip");

    private static final String ONLY_WITH_DIGEST = """
            {"if": {"required": ["maxBody"], "properties": {"maxBody": {"not": {"type": "null"}}}},
             "then": {"properties": {"cover": {"anyOf": [{"type": "null"}, {"contains": {"const": "content-digest"}}]}}}}
            """;
    private static final Pattern COMPONENT = Pattern.compile("@(method|authority|path|query)|[!#$%&'*+.^_`|~0-9a-z-]+");
    private static final String NOT_LATER = "{\"not\": {"
            + JsonSchema.pattern(Pattern.compile(HeaderText.RESERVED_FORM.pattern() + '|'
                    + String.join("|", new TreeSet<>(LATER)) + "|x-forwarded-.*"))
            + "}}";
    private static final int MOST = 32;
    private static final long LARGEST = 16 << 20;

    private RequestSignatureReader() {}

    static RequestSignature read(ConfigNode node) {
        node.expectObject();
        String host = matching(
                node.field("host", "of the upstream, as its targets name it, without the port that is usual")
                        .like(HOST),
                HOST);
        Algorithm algorithm = algorithm(node.field("algorithm", "by which it is signed; the key is of its kind"));
        SecretReference key = SecretReader.read(node.field(
                "key",
                "the private key in PEM (PKCS #8), and its public key or certificate behind it; for HMAC a text"));
        String keyId = matching(
                node.field("keyId", "what the upstream knows the key by").like(TEXT), TEXT);
        List<String> cover = cover(node.field("cover", "what is signed; fields that a request does not have are not")
                .unlessGiven("method, authority, path, query and digest"));
        ConfigNode label = node.field("label", "of the signature").like(LABEL).unlessGiven("`gateway`");
        ConfigNode tag = node.field("tag", "says what the signature is for").like(TEXT);
        Duration lifetime = node.field("lifetime", "from `created` to `expires`")
                .duration(Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofMinutes(1));
        ConfigNode most = node.field("maxBody", "most of a body that is held to be signed");
        node.obeys(ONLY_WITH_DIGEST);
        if (most.isPresent() && !cover.contains(RequestSignature.DIGEST)) {
            most.problem("expected only where content-digest is signed");
        }
        long maxBody = most.size(1 << 10, LARGEST, 1 << 20);
        node.refuseUnknownFields();
        return new RequestSignature(
                host,
                algorithm,
                key,
                keyId,
                cover,
                label.isPresent() ? matching(label, LABEL) : "gateway",
                tag.isPresent() ? Optional.of(matching(tag, TEXT)) : Optional.empty(),
                lifetime,
                maxBody);
    }

    private static Algorithm algorithm(ConfigNode node) {
        List<String> words = Arrays.stream(Algorithm.values())
                .map(each -> each.message().word())
                .toList();
        String text = node.only(words).text(Algorithm.ED25519.message().word());
        for (Algorithm each : Algorithm.values()) if (each.message().word().equals(text)) return each;
        node.problem("expected one of " + String.join(", ", words) + ", got \"" + text + '"');
        return Algorithm.ED25519;
    }

    private static List<String> cover(ConfigNode node) {
        if (!node.isPresent()) return USUAL;
        List<String> cover = node.list(RequestSignatureReader::component);
        node.extent(1, MOST).unique();
        if (cover.isEmpty() || cover.size() > MOST)
            node.problem("expected 1 to " + MOST + " components, got " + cover.size());
        if (new HashSet<>(cover).size() < cover.size())
            node.problem("expected each component once, got " + String.join(", ", cover));
        return cover;
    }

    private static String component(ConfigNode node) {
        String name = node.like(COMPONENT).obeys(NOT_LATER).requiredText();
        if (DERIVED.contains(name) || name.isEmpty()) return name;
        if (!HeaderText.isToken(name) || !name.equals(name.toLowerCase(Locale.ROOT))) {
            node.expected("a header name in lower case, or one of @method, @authority, @path, @query");
        } else if (HeaderText.isReserved(name) || LATER.contains(name) || name.startsWith("x-forwarded-")) {
            node.problem("the gateway writes " + name + " itself");
        }
        return name;
    }

    private static String matching(ConfigNode node, Pattern pattern) {
        String text = node.requiredText();
        node.like(pattern);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) node.expected(pattern.pattern());
        return text;
    }
}
