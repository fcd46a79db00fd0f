package gateway.policies.identity;

import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyOrigin;
import gateway.policies.cryptography.KeyOriginReader;
import gateway.policies.cryptography.SigningAlgorithm;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads one of those who give out tokens.
final class TokenIssuerReader {
    private static final List<String> USUAL_TYPES = List.of("jwt", "at+jwt");
    private static final int MOST_ISSUERS = 32;
    private static final int MOST_TEXTS = 100;
    private static final int LONGEST_TEXT = 1_024;

    private final ConfigNode node;
    private final Optional<String> issuer;
    private final Set<SigningAlgorithm> algorithms;
    private final KeyOrigin origin;

    private TokenIssuerReader(ConfigNode node) {
        this.node = node;
        this.issuer = optional(
                node.field("issuer", "the `iss` of its tokens, letter by letter; not needed where there is one only")
                        .unlessGiven("any"));
        this.algorithms = SigningAlgorithm.readAll(node.field("algorithms", "that its tokens may be signed by"));
        this.origin = KeyOriginReader.ofIssuer(node, algorithms);
    }

    /// Reads a field with 1 to 32 of them.
    static List<TokenIssuer> readAll(ConfigNode field) {
        List<TokenIssuer> found = field.list(TokenIssuerReader::read);
        boolean isList = field.json().filter(json -> json.isArray()).isPresent();
        field.extent(1, MOST_ISSUERS);
        if (!field.isPresent() || (isList && (found.isEmpty() || found.size() > MOST_ISSUERS))) {
            field.problem("expected 1 to " + MOST_ISSUERS + " issuers, got " + found.size());
        }
        checkTogether(found, field);
        return found;
    }

    private static void checkTogether(List<TokenIssuer> issuers, ConfigNode node) {
        var names = new HashSet<String>();
        var values = new HashSet<String>();
        for (TokenIssuer each : issuers) {
            if (!names.add(each.name())) node.problem("expected each name once, got two of \"" + each.name() + '"');
            if (each.issuer().isEmpty() && issuers.size() > 1) {
                node.problem("expected an issuer in each of several, got none in \"" + each.name() + '"');
            }
            each.issuer()
                    .filter(value -> !values.add(value))
                    .ifPresent(value -> node.problem("expected each issuer once, got \"" + value + "\" twice"));
        }
    }

    private static TokenIssuer read(ConfigNode node) {
        node.requireObject();
        return new TokenIssuerReader(node).read();
    }

    private TokenIssuer read() {
        var types = node.field("types", "that the `typ` of its tokens may be; then one has to be there")
                .unlessGiven("`JWT`, `at+jwt` or none");
        var audience = node.field("audiences", "of which one has to be in `aud`; `[]` takes tokens for anybody");
        if (!audience.isPresent()) audience.problem("expected an array, got nothing; [] says any on purpose");
        String name = name();
        var read = new TokenIssuer(
                name,
                issuer.isEmpty() && !node.field("name").isPresent(),
                issuer,
                origin,
                algorithms,
                Set.copyOf(texts(audience)),
                types.isPresent()
                        ? texts(types).stream().map(CompactToken::plainType).toList()
                        : USUAL_TYPES,
                !types.isPresent());
        node.refuseUnknownFields();
        return read;
    }

    private static Optional<String> optional(ConfigNode field) {
        if (!field.isPresent()) return Optional.empty();
        String text = field.requiredText();
        field.extent(0, LONGEST_TEXT);
        if (text.length() > LONGEST_TEXT)
            field.problem("expected at most " + LONGEST_TEXT + " characters, got " + text.length());
        return Optional.of(text);
    }

    static List<String> texts(ConfigNode field) {
        List<String> found = field.list(ConfigNode::requiredText);
        field.extent(0, MOST_TEXTS);
        if (found.size() > MOST_TEXTS) field.problem("expected at most " + MOST_TEXTS + ", got " + found.size());
        return found;
    }

    private String name() {
        var field = node.field("name", "stands in the ids of callers: `jwt:<name>/…`")
                .unlessGiven("host and path of `issuer`; else the host of `jwks`, and the path of `iss`");
        Optional<String> given = IssuerName.read(field);
        if (given.isPresent()) return given.get();
        String host = host();
        if (host.isEmpty()) node.problem("expected a name, since there is no URL to take it of");
        else if (!IssuerName.isOne(host)) field.problem("expected a name, since there is no URL to take it of");
        return host + issuer.map(IssuerName::path).orElse("");
    }

    private String host() {
        if (issuer.isPresent()) return IssuerName.host(issuer.get());
        return switch (origin) {
            case KeyOrigin.Server server
            when !server.url().equals(KeyOriginReader.STAND_IN) ->
                String.valueOf(server.url().getHost());
            case KeyOrigin.Server _,
                    KeyOrigin.Inline _,
                    KeyOrigin.Pem _,
                    KeyOrigin.StoredSet _,
                    KeyOrigin.StoredPem _,
                    KeyOrigin.Shared _ -> "";
        };
    }
}
