package gateway.policies.message.openapi;

import java.util.Locale;
import java.util.Optional;

/// How the value of a parameter is written.
enum ParameterStyle {
    FORM,
    SIMPLE,
    LABEL,
    MATRIX,
    SPACE_DELIMITED,
    PIPE_DELIMITED,
    DEEP_OBJECT;

    /// @param name as documents write it, such as `deepObject`
    static Optional<ParameterStyle> of(String name) {
        for (ParameterStyle each : values())
            if (each.name().replace("_", "").toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                return Optional.of(each);
        return Optional.empty();
    }
}
