package gateway.policies.message.form;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The parameters of a header field such as `form-data; name="a"; filename=b`, read strictly: what two readers might
/// take for two things is refused.
///
/// @param value what stands before the first `;`, in lower case
/// @param parameters by name in lower case
record FieldParameters(String value, Map<String, String> parameters) {
    FieldParameters {
        parameters = Map.copyOf(parameters);
    }

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+"); // RFC 9110 §5.6.2

    /// Empty when a parameter comes twice, has no value, one with escapes, or a name that is no token.
    static Optional<FieldParameters> of(String text) {
        int from = end(text, 0);
        String value = text.substring(0, from).strip().toLowerCase(Locale.ROOT);
        var parameters = new HashMap<String, String>();
        while (from < text.length()) {
            int end = end(text, from + 1);
            String parameter = text.substring(from + 1, end).strip();
            from = end;
            if (parameter.isEmpty()) continue;
            int equals = parameter.indexOf('=');
            if (equals < 1 || !NAME.matcher(parameter.substring(0, equals)).matches()) return Optional.empty();
            Optional<String> content = unquoted(parameter.substring(equals + 1));
            String name = parameter.substring(0, equals).toLowerCase(Locale.ROOT);
            if (content.isEmpty() || parameters.put(name, content.get()) != null) return Optional.empty();
        }
        return Optional.of(new FieldParameters(value, parameters));
    }

    /// Where the next `;` stands that is not within quotes.
    private static int end(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == '"') quoted = !quoted;
            if (text.charAt(i) == ';' && !quoted) return i;
        }
        return text.length();
    }

    private static Optional<String> unquoted(String text) {
        if (!text.startsWith("\""))
            return text.isEmpty() || text.indexOf('"') >= 0 ? Optional.empty() : Optional.of(text);
        String inner = text.substring(1, Math.max(1, text.length() - 1));
        boolean plain = text.length() > 1 && text.endsWith("\"") && inner.indexOf('"') < 0 && inner.indexOf('\\') < 0;
        return plain ? Optional.of(inner) : Optional.empty();
    }
}
