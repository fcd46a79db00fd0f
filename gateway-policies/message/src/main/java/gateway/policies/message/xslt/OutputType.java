package gateway.policies.message.xslt;

import gateway.policies.message.xml.XmlContent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import net.sf.saxon.s9api.Serializer;
import net.sf.saxon.s9api.Serializer.Property;
import org.jspecify.annotations.Nullable;

/// What a stylesheet's result is of, by its `xsl:output` or by the definition.
///
/// @param type media type; empty text: told by the result
/// @param charset empty text where the type says all
record OutputType(String type, String charset) {
    private static final int BEGIN = 200;

    /// Has the result written as `wanted` says.
    ///
    /// @param wanted empty text: as the stylesheet says
    static OutputType of(String wanted, Serializer serializer) {
        if (!wanted.isEmpty()) {
            XmlContent.charsetOf(wanted).ifPresent(charset -> serializer.setOutputProperty(Property.ENCODING, charset));
            return new OutputType(wanted, "");
        }
        String type = property(serializer, Property.MEDIA_TYPE);
        String charset = property(serializer, Property.ENCODING);
        return new OutputType(
                type.isEmpty() ? byMethod(property(serializer, Property.METHOD)) : type,
                charset.isEmpty() ? "utf-8" : charset.toLowerCase(Locale.ROOT));
    }

    private static String property(Serializer serializer, Property name) {
        @Nullable String value = serializer.getOutputProperty(name);
        return value == null ? "" : value;
    }

    private static String byMethod(String method) {
        return switch (method) {
            case "xml" -> "application/xml";
            case "html" -> "text/html";
            case "xhtml" -> "application/xhtml+xml";
            case "json" -> "application/json";
            case "text", "adaptive" -> "text/plain";
            default -> "";
        };
    }

    /// As `Content-Type` says it. Without a method the result is HTML when its first element is `html` (XSLT 1.0 §16).
    String of(byte[] result) {
        if (charset.isEmpty()) return type;
        return (type.isEmpty() ? byBegin(result) : type) + "; charset=" + charset;
    }

    private static String byBegin(byte[] result) {
        String begin = new String(result, 0, Math.min(result.length, BEGIN), StandardCharsets.ISO_8859_1)
                .strip()
                .toLowerCase(Locale.ROOT);
        boolean html = begin.startsWith("<html") || begin.startsWith("<!doctype html");
        return html ? "text/html" : "application/xml";
    }
}
