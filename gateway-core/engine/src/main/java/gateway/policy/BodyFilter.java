package gateway.policy;

import gateway.http.Headers;
import gateway.http.SaidTypes;
import java.util.OptionalLong;

/// Which messages' bodies a policy needs, by what their heads say. The policy's `when` holds besides.
@FunctionalInterface
public interface BodyFilter {
    BodyFilter ALL = (_, _) -> true;

    /// Those that say they are JSON, be it among other things: `application/json`, and whatever ends in `+json`.
    BodyFilter JSON = (fields, _) -> isJson(fields);

    /// @param fields of the message, such as `Content-Type`
    /// @param length bytes, when known beforehand
    boolean wants(Headers fields, OptionalLong length);

    private static boolean isJson(Headers fields) {
        for (String type : SaidTypes.of(fields))
            if (type.equals("application/json") || type.endsWith("+json")) return true;
        return false;
    }
}
