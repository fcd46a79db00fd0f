package gateway.http;

/// A field that may stand in a message as it is: what many requests get is looked at once.
public record HeaderField(String name, String value) {
    /// @throws IllegalArgumentException when the name is no token, or the value holds CR, LF or NUL
    public HeaderField {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
    }

    /// Without the value, which may be a secret.
    @Override
    public String toString() {
        return name;
    }
}
