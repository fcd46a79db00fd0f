package gateway.policies.message.openapi;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Where a parameter stands in a request.
enum ParameterPlace {
    PATH(EnumSet.of(ParameterStyle.SIMPLE, ParameterStyle.LABEL, ParameterStyle.MATRIX)),
    QUERY(EnumSet.of(
            ParameterStyle.FORM,
            ParameterStyle.SPACE_DELIMITED,
            ParameterStyle.PIPE_DELIMITED,
            ParameterStyle.DEEP_OBJECT)),
    HEADER(EnumSet.of(ParameterStyle.SIMPLE)),
    COOKIE(EnumSet.of(ParameterStyle.FORM));

    private final Set<ParameterStyle> styles;

    ParameterPlace(Set<ParameterStyle> styles) {
        this.styles = styles;
    }

    static Optional<ParameterPlace> of(String name) {
        for (ParameterPlace each : values()) if (each.written().equals(name)) return Optional.of(each);
        return Optional.empty();
    }

    boolean has(ParameterStyle style) {
        return styles.contains(style);
    }

    ParameterStyle usual() {
        return this == PATH || this == HEADER ? ParameterStyle.SIMPLE : ParameterStyle.FORM;
    }

    /// As documents write it, and as clients are told.
    String written() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What was written there is decoded.
    Optional<String> decoded(String raw) {
        return switch (this) {
            case PATH -> PercentText.decoded(raw, false);
            case QUERY -> PercentText.decoded(raw, true);
            case HEADER -> Optional.of(raw.strip()); // blanks stand beside the commas of lists
            case COOKIE -> Optional.of(raw);
        };
    }
}
