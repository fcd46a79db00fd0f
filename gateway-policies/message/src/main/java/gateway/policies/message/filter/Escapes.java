package gateway.policies.message.filter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Escapes of several languages undone, once, in linear time. What is no escape stands for itself.
final class Escapes {
    // Five names end by themselves: browsers take `&ltimg` as `<img`.
    private static final Pattern ENTITY = Pattern.compile(
            "&(?:#0*+([0-9]{1,7})|#[xX]0*+([0-9A-Fa-f]{1,6})" + "|((?i:lt|gt|amp|quot|nbsp)|[A-Za-z]{2,7}));?");
    private static final Pattern UNIT = Pattern.compile(
            "\\\\u\\{0*+([0-9A-Fa-f]{1,6})\\}|(?:\\\\u\\{?|%[uU]|\\\\x)([0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})\\}?");
    private static final Map<String, String> NAMED = Map.ofEntries(
            Map.entry("lt", "<"),
            Map.entry("gt", ">"),
            Map.entry("amp", "&"),
            Map.entry("quot", "\""),
            Map.entry("apos", "'"),
            Map.entry("nbsp", " "),
            Map.entry("sol", "/"),
            Map.entry("bsol", "\\"),
            Map.entry("colon", ":"),
            Map.entry("semi", ";"),
            Map.entry("lpar", "("),
            Map.entry("rpar", ")"),
            Map.entry("equals", "="),
            Map.entry("tab", "\t"),
            Map.entry("newline", "\n"),
            Map.entry("period", "."),
            Map.entry("vert", "|"),
            Map.entry("dollar", "$"),
            Map.entry("lcub", "{"),
            Map.entry("grave", "`"));

    private Escapes() {}

    /// @param plus whether `+` is a blank
    static String percent(String text, boolean plus) {
        if (text.indexOf('%') < 0 && !(plus && text.indexOf('+') >= 0)) return text;
        var plain = new StringBuilder(text.length());
        var octets = new ByteArrayOutputStream();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            int octet = c == '%' ? octet(text, at + 1) : -1;
            if (octet >= 0) {
                octets.write(octet);
                at += 2;
                continue;
            }
            flush(octets, plain);
            plain.append(plus && c == '+' ? ' ' : c);
        }
        flush(octets, plain);
        return plain.toString();
    }

    private static void flush(ByteArrayOutputStream octets, StringBuilder plain) {
        if (octets.size() == 0) return;
        plain.append(octets.toString(StandardCharsets.UTF_8));
        octets.reset();
    }

    private static int octet(String text, int at) {
        if (at + 2 > text.length()) return -1;
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    /// Of HTML and XML, as browsers take them: also without their semicolon.
    static String entities(String text) {
        if (text.indexOf('&') < 0) return text;
        return ENTITY.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        entity(found.group(), found.group(1), found.group(2), found.group(3))));
    }

    private static String entity(String whole, String decimal, String hexadecimal, String name) {
        if (name != null) return NAMED.getOrDefault(name.toLowerCase(java.util.Locale.ROOT), whole);
        int code = decimal != null ? Integer.parseInt(decimal) : Integer.parseInt(hexadecimal, 16);
        return character(whole, code);
    }

    /// Of JavaScript and its like.
    static String units(String text) {
        if (text.indexOf('\\') < 0 && text.indexOf('%') < 0) return text;
        return UNIT.matcher(text).replaceAll(found -> {
            String digits = found.group(1) == null ? found.group(2) : found.group(1);
            return Matcher.quoteReplacement(character(found.group(), Integer.parseInt(digits, 16)));
        });
    }

    private static String character(String whole, int code) {
        return Character.isValidCodePoint(code) ? Character.toString(code) : whole;
    }
}
