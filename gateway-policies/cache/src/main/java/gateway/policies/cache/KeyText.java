package gateway.policies.cache;

/// A text of several values, each behind its length: no two lists of values make the same text.
final class KeyText {
    private final StringBuilder text = new StringBuilder(128);

    KeyText add(String value) {
        text.append(value.length()).append(':').append(value);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
