package gateway.policies.identity;

import gateway.http.Exchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the signatures of one profile.
sealed interface SignatureForm permits Rfc9421Form, DraftForm {
    static SignatureForm of(SignatureRules rules) {
        return switch (rules.profile()) {
            case RFC9421 -> new Rfc9421Form(rules);
            case DRAFT -> new DraftForm(rules);
        };
    }

    /// Where the signature stands, see [gateway.policy.AuthenticationPolicy#shownAt].
    @Nullable
    String shownAt(Exchange exchange);

    /// @param now in milliseconds
    /// @throws BadSignatureException when it is none that could be good now
    SignatureClaim read(Exchange exchange, long now);

    void strip(Exchange exchange);

    /// All lines of a field as one, as both profiles sign it: without the white space around each.
    static String value(Exchange exchange, String name) {
        List<String> lines = exchange.headers().all(name);
        if (lines.isEmpty()) throw new BadSignatureException(SignatureFlaw.COMPONENT);
        return joined(lines);
    }

    /// The same of a field with one line or more.
    static String joined(List<String> lines) {
        if (lines.size() == 1) return trimmed(lines.getFirst());
        var joined = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (i > 0) joined.append(", ");
            joined.append(trimmed(lines.get(i)));
        }
        return joined.toString();
    }

    /// Without blanks and tabs around it, and nothing else: what else counts as white space is signed.
    static String trimmed(String line) {
        int begin = 0;
        int end = line.length();
        while (begin < end && isBlank(line.charAt(begin))) begin++;
        while (end > begin && isBlank(line.charAt(end - 1))) end--;
        return line.substring(begin, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /// Whether a body comes, or may come.
    static boolean hasBody(Exchange exchange) {
        return exchange.body().length().orElse(1) > 0;
    }
}
