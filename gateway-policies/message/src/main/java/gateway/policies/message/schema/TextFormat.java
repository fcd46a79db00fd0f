package gateway.policies.message.schema;

import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// A `format` that is asserted. None takes longer than linear time, and none of a text longer than a URI is.
record TextFormat(Predicate<String> form) {
    private static final int LONGEST = 8_192;
    private static final int CHARACTERS_FOR_A_UNIT = 16;

    private static final Map<String, TextFormat> ALL = Map.ofEntries(
            Map.entry("date", new TextFormat(TimeFormats::isDate)),
            Map.entry("time", new TextFormat(TimeFormats::isTime)),
            Map.entry("date-time", new TextFormat(TimeFormats::isDateTime)),
            Map.entry("duration", new TextFormat(TimeFormats::isDuration)),
            Map.entry("email", new TextFormat(HostFormats::isEmail)),
            Map.entry("hostname", new TextFormat(HostFormats::isHostname)),
            Map.entry("ipv4", new TextFormat(HostFormats::isIpv4)),
            Map.entry("ipv6", new TextFormat(HostFormats::isIpv6)),
            Map.entry("uri", new TextFormat(TextFormat::isUri)),
            Map.entry("uuid", new TextFormat(TextFormat::isUuid)),
            Map.entry("json-pointer", new TextFormat(TextFormat::isPointer)));

    /// Empty for one that is not known, which holds of any text.
    static Optional<TextFormat> of(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    boolean holds(String text, Evaluation run) {
        if (text.length() > LONGEST) return false;
        run.spend(text.length() / CHARACTERS_FOR_A_UNIT);
        return form.test(text);
    }

    /// RFC 3986, with a scheme.
    private static boolean isUri(String text) {
        int colon = text.indexOf(':');
        if (colon < 1 || !isLetter(text.charAt(0))) return false;
        for (int i = 1; i < colon; i++) {
            char each = text.charAt(i);
            if (!isLetter(each) && !isDigit(each) && "+-.".indexOf(each) < 0) return false;
        }
        return !text.endsWith("%") && areUriCharacters(text, colon + 1) && isAuthority(text, colon + 1);
    }

    private static boolean areUriCharacters(String text, int from) {
        boolean fragment = false;
        for (int i = from; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '#' && fragment) return false;
            fragment |= each == '#';
            if (each == '%' && !(isHexadecimal(text, i + 1) && isHexadecimal(text, i + 2))) return false;
            if (!isLetter(each) && !isDigit(each) && "-._~:/?#[]@!$&'()*+,;=%".indexOf(each) < 0) return false;
        }
        return true;
    }

    /// Brackets stand around an IPv6 address and nowhere else, a port has digits.
    private static boolean isAuthority(String text, int from) {
        boolean has = text.startsWith("//", from);
        int end = from;
        while (has && end < text.length() && (end < from + 2 || "/?#".indexOf(text.charAt(end)) < 0)) end++;
        for (int i = end; i < text.length(); i++) if ("[]".indexOf(text.charAt(i)) >= 0) return false;
        if (!has) return true;
        String authority = text.substring(from + 2, end);
        int at = authority.lastIndexOf('@');
        if (at >= 0 && (authority.indexOf('@') != at || (authority.indexOf('[') >= 0 && authority.indexOf('[') < at)))
            return false;
        String host = authority.substring(at + 1);
        String port = host.startsWith("[") ? host.substring(host.indexOf(']') + 1) : host.replaceFirst("^[^:]*", "");
        if (host.startsWith("[")) {
            int close = host.indexOf(']');
            if (close < 0 || (!HostFormats.isIpv6(host.substring(1, close)) && host.charAt(1) != 'v')) return false;
        } else if (host.indexOf('[') >= 0 || host.indexOf(']') >= 0) {
            return false;
        }
        return port.isEmpty() || (port.startsWith(":") && port.chars().skip(1).allMatch(each -> isDigit((char) each)));
    }

    private static boolean isUuid(String text) {
        if (text.length() != 36) return false;
        for (int i = 0; i < 36; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? text.charAt(i) != '-' : !isHexadecimal(text, i)) return false;
        }
        return true;
    }

    /// RFC 6901.
    private static boolean isPointer(String text) {
        if (!text.isEmpty() && text.charAt(0) != '/') return false;
        for (int i = text.indexOf('~'); i >= 0; i = text.indexOf('~', i + 1)) {
            if (i + 1 == text.length() || "01".indexOf(text.charAt(i + 1)) < 0) return false;
        }
        return true;
    }

    static boolean isLetter(char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    }

    static boolean isDigit(char each) {
        return each >= '0' && each <= '9';
    }

    static boolean isHexadecimal(String text, int at) {
        return at < text.length() && text.charAt(at) < 128 && Character.digit(text.charAt(at), 16) >= 0;
    }
}
