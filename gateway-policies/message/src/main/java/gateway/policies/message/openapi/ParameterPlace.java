package gateway.policies.message.openapi;

import java.util.Locale;
import java.util.Optional;

/// Where a parameter stands in a request.
enum ParameterPlace {
    PATH,
    QUERY,
    HEADER,
    COOKIE;

    static Optional<ParameterPlace> of(String name) {
        for (ParameterPlace each : values()) if (each.written().equals(name)) return Optional.of(each);
        return Optional.empty();
    }

    boolean has(ParameterStyle style) {
        return switch (style) {
            case FORM -> this == QUERY || this == COOKIE;
            case SIMPLE -> this == PATH || this == HEADER;
            case LABEL, MATRIX -> this == PATH;
            case SPACE_DELIMITED, PIPE_DELIMITED, DEEP_OBJECT -> this == QUERY;
        };
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
