package gateway.http;

import java.util.OptionalLong;

/// A body whose bytes are all here. The array is shared, not copied: whoever made it leaves it alone.
public final class HeldBody implements Body {
    private final byte[] content;

    HeldBody(byte[] content) {
        this.content = content;
    }

    public byte[] content() {
        return content;
    }

    @Override
    public OptionalLong length() {
        return OptionalLong.of(content.length);
    }

    @Override
    public byte[] bytes(long max) {
        if (content.length > max) throw new BodyTooLargeException(max);
        return content;
    }

    @Override
    public String toString() {
        return content.length + " bytes";
    }
}
