package gateway.policies.message.form;

import gateway.http.BodyCharset;
import gateway.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A part of a `multipart/form-data`: where its content lies in the whole.
public final class FormPart {
    private static final String CHARSET_OF_OTHERS = "_charset_"; // RFC 7578, section 4.6

    private final String name;
    private final FieldParameters type;
    private final byte[] whole;
    private final int from;
    private final int to;

    /// @param type its `Content-Type`; its value is empty when it says none
    FormPart(String name, FieldParameters type, byte[] whole, int from, int to) {
        this.name = name;
        this.type = type;
        this.whole = whole;
        this.from = from;
        this.to = to;
    }

    public String name() {
        return name;
    }

    /// Its media type without parameters; empty when it says none.
    public String type() {
        return type.value();
    }

    /// The charset that it says, in lower case.
    public Optional<String> charset() {
        return Optional.ofNullable(type.parameters().get("charset")).map(each -> each.toLowerCase(Locale.ROOT));
    }

    /// Whether neither it nor, as `_charset_`, the form says that texts are written otherwise than here.
    public boolean isUtf8() {
        boolean extended = type.parameters().keySet().stream().anyMatch(each -> each.startsWith("charset*"));
        return !extended && isUtf8(charset().orElse("")) && !namesOtherCharset(name, text());
    }

    /// Whether a field of a form has those who heed it read the others in another charset than UTF-8.
    public static boolean namesOtherCharset(String field, String value) {
        return field.equalsIgnoreCase(CHARSET_OF_OTHERS)
                && !isUtf8(value.strip().toLowerCase(Locale.ROOT));
    }

    private static boolean isUtf8(String charset) {
        return charset.isEmpty() || BodyCharset.isUtf8(charset);
    }

    /// Bytes of its content.
    public int size() {
        return to - from;
    }

    public byte[] content() {
        return Arrays.copyOfRange(whole, from, to);
    }

    /// Its content as a text: UTF-8, or a character for each byte.
    public String text() {
        byte[] bytes = content();
        return new String(bytes, Utf8.holds(bytes) ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    public boolean isJson() {
        return type().equals("application/json") || type().endsWith("+json");
    }

    public boolean isXml() {
        return type().equals("application/xml") || type().equals("text/xml") || type().endsWith("+xml");
    }

    @Override
    public String toString() {
        return name + ": " + (to - from) + " bytes";
    }
}
