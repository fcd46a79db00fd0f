package gateway.policy;

import gateway.http.Headers;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// Which messages' bodies a policy needs, by what their heads say. The policy's `when` holds besides.
@FunctionalInterface
public interface BodyFilter {
    BodyFilter ALL = (_, _) -> true;

    /// Those that say they are JSON: `application/json`, and whatever ends in `+json`.
    BodyFilter JSON = (fields, _) -> isJson(fields);

    /// @param fields of the message, such as `Content-Type`
    /// @param length bytes, when known beforehand
    boolean wants(Headers fields, OptionalLong length);

    private static boolean isJson(Headers fields) {
        Optional<String> type = fields.first("Content-Type");
        if (type.isEmpty()) return false;
        int end = type.get().indexOf(';');
        String media =
                (end < 0 ? type.get() : type.get().substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return media.equals("application/json") || media.endsWith("+json");
    }
}
