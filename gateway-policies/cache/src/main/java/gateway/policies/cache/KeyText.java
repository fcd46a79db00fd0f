package gateway.policies.cache;

import gateway.service.TextDigest;

/// A text of several values, each behind its length: no two lists of values make the same text.
final class KeyText {
    private final StringBuilder text = new StringBuilder(128);

    KeyText add(String value) {
        text.append(value.length()).append(':').append(value);
        return this;
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /// SHA-256 of it: no key holds a credential, nor is it as long as what it stands for. Of its characters as they
    /// are: half of a surrogate pair is another thing than the question mark that a charset makes of it.
    String digest() {
        return TextDigest.of(text);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
