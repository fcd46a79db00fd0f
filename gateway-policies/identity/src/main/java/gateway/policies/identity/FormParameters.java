package gateway.policies.identity;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The parameters of a form or query (`application/x-www-form-urlencoded`), each of which stands there once.
record FormParameters(Map<String, String> values) {
    private static final int MOST = 32;

    FormParameters {
        values = Map.copyOf(values);
    }

    /// Empty when one stands there twice, or it is none.
    static Optional<FormParameters> parse(String text) {
        var values = new HashMap<String, String>();
        if (text.isEmpty()) return Optional.of(new FormParameters(values));
        String[] pairs = text.split("&", MOST + 1);
        if (pairs.length > MOST) return Optional.empty();
        for (String pair : pairs) {
            int sign = pair.indexOf('=');
            String name = sign < 0 ? pair : pair.substring(0, sign);
            try {
                String decoded = URLDecoder.decode(name, StandardCharsets.UTF_8);
                String value = sign < 0 ? "" : URLDecoder.decode(pair.substring(sign + 1), StandardCharsets.UTF_8);
                if (values.put(decoded, value) != null) return Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.empty(); // a percent sign that encodes nothing
            }
        }
        return Optional.of(new FormParameters(values));
    }

    /// Empty text when it is not there.
    String text(String name) {
        return values.getOrDefault(name, "");
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
