package gateway.policy;

import gateway.http.Headers;
import java.util.OptionalLong;

/// Which messages' bodies a policy needs, by what their heads say. The policy's `when` holds besides.
@FunctionalInterface
public interface BodyFilter {
    BodyFilter ALL = (_, _) -> true;

    /// @param fields of the message, such as `Content-Type`
    /// @param length bytes, when known beforehand
    boolean wants(Headers fields, OptionalLong length);
}
