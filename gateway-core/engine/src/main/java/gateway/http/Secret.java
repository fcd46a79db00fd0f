package gateway.http;

import java.util.Objects;

/// A credential in the clear. Prints as `***`; what must be shown once is asked for by [#reveal].
public final class Secret {
    private final String value;

    public Secret(String value) {
        this.value = Objects.requireNonNull(value);
    }

    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "***";
    }
}
