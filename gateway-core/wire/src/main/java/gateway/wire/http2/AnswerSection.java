package gateway.wire.http2;

import gateway.http.HeaderText;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The fields of one answer, or of its trailers, checked as they are decoded (RFC 9113 §8.1, §8.2, §8.3.2).
final class AnswerSection implements HeadCollector.Fields {
    static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_FIELDS = 200;
    private static final int FIELD_OVERHEAD = 32; // RFC 9113 §6.5.2
    private static final int MOST_LENGTH_DIGITS = 18;

    private final boolean trailers;
    private HeaderMap fields;
    private int status;
    private long contentLength = -1;
    private long bytes;
    private int count;
    private @Nullable String flaw;

    /// @param into where the fields go, but those of an interim head
    private AnswerSection(boolean trailers, HeaderMap into) {
        this.trailers = trailers;
        this.fields = into;
    }

    static AnswerSection head(HeaderMap into) {
        return new AnswerSection(false, into);
    }

    static AnswerSection trailers() {
        return new AnswerSection(true, new HeaderMap());
    }

    HeaderMap fields() {
        return fields;
    }

    int status() {
        return status;
    }

    boolean interim() {
        return status < 200;
    }

    /// -1 when not given.
    long contentLength() {
        return contentLength;
    }

    /// What is wrong with it; null when nothing is.
    @Nullable
    String flaw() {
        if (flaw != null) return flaw;
        return !trailers && status == 0 ? "no :status" : null;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void add(HttpString name, String value) {
        bytes += name.length() + value.length() + FIELD_OVERHEAD;
        count++;
        if (flaw == null) flaw = wrong(name, value);
    }

    private @Nullable String wrong(HttpString name, String value) {
        if (bytes > MOST_BYTES) return "fields of more than " + MOST_BYTES + " bytes";
        if (count > MOST_FIELDS) return "more than " + MOST_FIELDS + " fields";
        String text = name.toString();
        if (text.startsWith(":")) return status(text, value);
        if (!trailers && status == 0) return "no :status first";
        if (!HeaderText.isToken(text) || !text.equals(text.toLowerCase(Locale.ROOT))) return "a field name";
        if (!isValue(value)) return "the value of " + text;
        return switch (text) {
            case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade" -> text;
            case "te" -> null; // of this hop
            case "content-length" -> length(name, value);
            default -> {
                fields.add(name, value);
                yield null;
            }
        };
    }

    private @Nullable String status(String name, String value) {
        if (trailers || !name.equals(":status") || status != 0 || count > 1) return "a pseudo-header field";
        if (!value.matches("[1-9][0-9]{2}") || value.equals("101")) return "status " + printable(value);
        status = Integer.parseInt(value);
        if (interim()) fields = new HeaderMap();
        return null;
    }

    private static String printable(String value) {
        return value.matches("[0-9]{1,8}") ? value : "that is none";
    }

    private @Nullable String length(HttpString name, String value) {
        if (trailers || !value.matches("[0-9]{1," + MOST_LENGTH_DIGITS + "}")) return "content-length";
        long length = Long.parseLong(value);
        if (contentLength >= 0 && contentLength != length) return "two content-length";
        contentLength = length;
        fields.put(name, value);
        return null;
    }

    /// No control octet but tab, no blank at either end (RFC 9113 §8.2.1).
    private static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) return false;
        }
        return text.isEmpty() || !(isBlank(text.charAt(0)) || isBlank(text.charAt(text.length() - 1)));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
