package gateway.policies.message.convert;

import gateway.http.BodyMemory;
import gateway.policies.message.xml.XmlEscapes;
import java.nio.charset.StandardCharsets;

/// XML as it is written, up to so many bytes. Used by one thread.
final class XmlWriting {
    private static final long STEP = 16 * 1024; // characters that memory is asked for at once
    private static final int COPIES = 4; // bytes for each of them: while the text grows, as text and in UTF-8

    private final StringBuilder text = new StringBuilder();
    private final long most;
    private final BodyMemory memory;
    private long held; // characters that memory is there for

    /// @param most bytes that may come of it
    /// @param memory told of more than these, before they are there
    XmlWriting(long most, BodyMemory memory) {
        this.most = most;
        this.memory = memory;
    }

    XmlWriting markup(String markup) {
        require(markup.length());
        text.append(markup);
        return this;
    }

    /// @param value [XmlEscapes#isWritable]
    void attribute(String name, String value) {
        require(name.length() + (long) value.length());
        text.append(' ').append(name).append("=\"");
        XmlEscapes.attribute(value, text);
        text.append('"');
    }

    /// @param value [XmlEscapes#isWritable]
    void text(String value) {
        require(value.length());
        XmlEscapes.text(value, text);
    }

    private void require(long more) {
        long length = text.length() + more;
        if (length > most) throw tooMuch();
        if (length <= held) return;
        long next = Math.max(STEP, length - held);
        memory.hold(COPIES * next);
        held += next;
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
