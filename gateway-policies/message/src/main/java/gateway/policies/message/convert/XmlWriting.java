package gateway.policies.message.convert;

import gateway.policies.message.xml.XmlEscapes;
import java.nio.charset.StandardCharsets;

/// XML as it is written, up to so many bytes. Used by one thread.
final class XmlWriting {
    private final StringBuilder text = new StringBuilder();
    private final long most;

    /// @param most bytes that may come of it
    XmlWriting(long most) {
        this.most = most;
    }

    XmlWriting markup(String markup) {
        text.append(markup);
        return this;
    }

    /// @param value [#isWritable]
    void attribute(String name, String value) {
        require(value.length());
        text.append(' ').append(name).append("=\"");
        XmlEscapes.attribute(value, text);
        text.append('"');
    }

    /// @param value [#isWritable]
    void text(String value) {
        require(value.length());
        XmlEscapes.text(value, text);
    }

    /// Whether XML 1.0 has all of its characters (§2.2).
    static boolean isWritable(String value) {
        return value.codePoints()
                .allMatch(c -> (c >= ' ' && !(c >= 0xd800 && c <= 0xdfff) && c != 0xfffe && c != 0xffff)
                        || c == '\t'
                        || c == '\n'
                        || c == '\r');
    }

    private void require(long more) {
        if (text.length() + more > most) throw tooMuch();
    }

    private InconvertibleException tooMuch() {
        return new InconvertibleException("", "it would become more than " + most + " bytes");
    }

    /// In UTF-8.
    byte[] bytes() {
        require(0);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > most) throw tooMuch();
        return bytes;
    }
}
