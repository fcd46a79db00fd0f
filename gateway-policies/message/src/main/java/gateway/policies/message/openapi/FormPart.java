package gateway.policies.message.openapi;

import gateway.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A part of a `multipart/form-data`: where its content lies in the whole.
final class FormPart {
    private final String name;
    private final String type;
    private final byte[] whole;
    private final int from;
    private final int to;

    /// @param type its media type without parameters; empty when it says none
    FormPart(String name, String type, byte[] whole, int from, int to) {
        this.name = name;
        this.type = type;
        this.whole = whole;
        this.from = from;
        this.to = to;
    }

    String name() {
        return name;
    }

    String type() {
        return type;
    }

    byte[] content() {
        return Arrays.copyOfRange(whole, from, to);
    }

    /// Its content as a text: UTF-8, or a character for each byte.
    String text() {
        byte[] bytes = content();
        return new String(bytes, Utf8.holds(bytes) ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    boolean isJson() {
        return type.equals("application/json") || type.endsWith("+json");
    }

    @Override
    public String toString() {
        return name + ": " + (to - from) + " bytes";
    }
}
