package gateway.policy;

import gateway.http.CanonicalPath;
import gateway.http.CanonicalPath.Canonical;
import gateway.http.HeaderText;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Where the text of a template goes, which decides how values in it are escaped. The template's own text is its
/// author's and stays as it is.
public enum TemplatePlace {
    /// The value of a header field (RFC 9110 §5.5): what may not stand in one becomes `?`, line ends above all.
    HEADER {
        @Override
        boolean takes(String text) {
            return HeaderText.isValue(text);
        }

        @Override
        public String escaped(String value) {
            if (HeaderText.isValue(value)) return value;
            var clean = new StringBuilder(value.length());
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                boolean stands = c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff);
                clean.append(stands ? c : '?');
            }
            return clean.toString();
        }
    },
    /// Within one segment of a URL's path: all but unreserved characters (RFC 3986 §2.3) are percent-encoded, and of a
    /// value of dots alone each becomes `_`, since encoded or not it would lead upwards.
    PATH_SEGMENT {
        @Override
        public String escaped(String value) {
            return isDots(value) ? "_".repeat(value.length()) : percentEncoded(value, false);
        }
    },
    /// A URL's path: a value is one segment of it, as at [#PATH_SEGMENT], unless its name ends in `path`, as that of
    /// `request.path` does. That one is a path itself, whose slashes and escapes stay.
    PATH {
        @Override
        boolean takes(String text) {
            String literal =
                    PLACEHOLDER.matcher(text.replace("{request.path}", "/x")).replaceAll("x");
            return CanonicalPath.of(literal.startsWith("/") ? literal : "/" + literal) instanceof Canonical;
        }

        @Override
        String flaw(String text) {
            return text.contains("/{request.path}")
                    ? "expected no slash before {request.path}, which begins with one"
                    : "expected a path, percent-encoded, without empty or dot segments";
        }

        @Override
        TemplatePlace within(String placeholder) {
            return placeholder.endsWith("path") ? this : PATH_SEGMENT;
        }

        @Override
        public String escaped(String value) {
            return percentEncoded(value, true);
        }
    },
    /// A value that is kept as it is, and escaped by whoever puts it somewhere.
    VALUE {
        @Override
        public String escaped(String value) {
            return value;
        }
    },
    /// The value of a cookie (RFC 6265 §4.1.1): values are percent-encoded but for unreserved characters.
    COOKIE {
        @Override
        boolean takes(String text) {
            return COOKIE_VALUE
                    .matcher(PLACEHOLDER.matcher(text).replaceAll("x"))
                    .matches();
        }

        @Override
        String flaw(String text) {
            return "expected only characters that may stand in the value of a cookie";
        }

        @Override
        public String escaped(String value) {
            return percentEncoded(value, false);
        }
    },
    /// A name or value in a URL's query.
    QUERY {
        @Override
        public String escaped(String value) {
            return percentEncoded(value, false);
        }
    },
    /// Between the quotes of a JSON string (RFC 8259 §7).
    JSON_STRING {
        @Override
        public String escaped(String value) {
            var json = new StringBuilder(value.length() + 8);
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c == '"' || c == '\\') json.append('\\').append(c);
                else if (c < ' ' || c == '\u2028' || c == '\u2029') appendUnicode(json, c);
                else json.append(isLone(value, i) ? REPLACEMENT : c);
            }
            return json.toString();
        }
    },
    /// A text of JSON, in whose strings values are escaped as at [#JSON_STRING]; elsewhere none may stand.
    JSON {
        @Override
        public String escaped(String value) {
            return JSON_STRING.escaped(value);
        }
    },
    /// Text or a quoted attribute value of XML 1.0; characters that XML does not have become U+FFFD.
    XML {
        @Override
        public String escaped(String value) {
            var xml = new StringBuilder(value.length() + 8);
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c == '\t' || c == '\n' || c == '\r')
                    xml.append("&#").append((int) c).append(';');
                else if (c < ' ' || c >= '\uFFFE' || isLone(value, i)) xml.append(REPLACEMENT);
                else appendMarkup(xml, c);
            }
            return xml.toString();
        }
    },
    /// Text or a quoted attribute value of HTML, and a comment without tags; not a script or style.
    HTML {
        @Override
        public String escaped(String value) {
            var html = new StringBuilder(value.length() + 8);
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c == 0 || isLone(value, i)) html.append(REPLACEMENT);
                else if (c == '`') html.append("&#96;");
                else appendMarkup(html, c);
            }
            return html.toString();
        }
    };

    private static final Pattern COOKIE_VALUE = Pattern.compile("[!#-+\\--:<-\\[\\]-~]*");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^}]*}");
    private static final char REPLACEMENT = '\uFFFD';
    private static final String HEX = "0123456789ABCDEF";
    private static final String IN_PATHS = "/!$&'()*+,;=:@"; // beside unreserved ones (RFC 3986 §3.3)

    /// Whether the template itself may hold `text`.
    boolean takes(String text) {
        return true;
    }

    /// What is wrong with a text that it does not take.
    String flaw(String text) {
        return "expected only characters that may stand in a header";
    }

    /// How the value of one of its placeholders is escaped.
    TemplatePlace within(String placeholder) {
        return this;
    }

    /// What of `value` may stand here, all else made harmless.
    public abstract String escaped(String value);

    private static boolean isDots(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) != '.') return false;
        }
        return true;
    }

    /// @param path what separates and escapes in a path stays
    private static String percentEncoded(String value, boolean path) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        var encoded = new StringBuilder(bytes.length + 8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            boolean stays = isUnreserved(c) || (path && (IN_PATHS.indexOf(c) >= 0 || isEscape(bytes, i)));
            if (stays) encoded.append(c);
            else encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
        }
        return encoded.toString();
    }

    private static boolean isEscape(byte[] bytes, int at) {
        return bytes[at] == '%' && at + 2 < bytes.length && isHex(bytes[at + 1]) && isHex(bytes[at + 2]);
    }

    private static boolean isHex(byte c) {
        return Character.digit(c, 16) >= 0;
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    private static void appendUnicode(StringBuilder json, char c) {
        json.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) json.append(HEX.charAt((c >> shift) & 15));
    }

    private static void appendMarkup(StringBuilder markup, char c) {
        switch (c) {
            case '&' -> markup.append("&amp;");
            case '<' -> markup.append("&lt;");
            case '>' -> markup.append("&gt;");
            case '"' -> markup.append("&quot;");
            case '\'' -> markup.append("&#39;");
            default -> markup.append(c);
        }
    }

    /// Half of a surrogate pair without the other.
    private static boolean isLone(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c))
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
