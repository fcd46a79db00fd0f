package gateway.policies.identity;

import gateway.http.HeaderText;
import gateway.policies.identity.StructuredField.Bare;
import gateway.policies.identity.StructuredField.InnerList;
import gateway.policies.identity.StructuredField.Item;
import gateway.policies.identity.StructuredField.Kind;
import gateway.policies.identity.StructuredField.Member;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a dictionary of structured fields (RFC 8941 §4.2). Stricter than that: no name twice in a dictionary or among
/// parameters, where readers differ in which one they take, and octets in the one Base64 text that an encoder writes.
final class StructuredFieldParser {
    private static final int LONGEST = 16_384;
    private static final int MOST = 128; // members, items of a list, parameters of one
    private static final int MOST_DIGITS = 15;
    private static final int MOST_WHOLE_DIGITS = 12; // of a decimal

    private final String text;
    private int at;

    StructuredFieldParser(String text) {
        this.text = text;
    }

    /// @throws BadSignatureException when it is none
    Map<String, Member> dictionary() {
        if (text.length() > LONGEST) throw malformed();
        var members = new LinkedHashMap<String, Member>();
        skipSpaces();
        while (at < text.length()) {
            String name = name();
            Member member = takes('=') ? member() : new Item(Bare.TRUE, parameters());
            if (members.put(name, member) != null || members.size() > MOST) throw malformed();
            skipWhitespace();
            if (at == text.length()) return members;
            if (!takes(',')) throw malformed();
            skipWhitespace();
            if (at == text.length()) throw malformed(); // a comma with nothing behind it
        }
        return members;
    }

    private Member member() {
        return takes('(') ? list() : item();
    }

    private InnerList list() {
        List<Item> items = new ArrayList<>();
        while (true) {
            skipSpaces();
            if (takes(')')) return new InnerList(items, parameters());
            items.add(item());
            if (items.size() > MOST || (peek() != ' ' && peek() != ')')) throw malformed();
        }
    }

    private Item item() {
        return new Item(bare(), parameters());
    }

    private Map<String, Bare> parameters() {
        if (peek() != ';') return Map.of();
        var parameters = new LinkedHashMap<String, Bare>();
        while (takes(';')) {
            skipSpaces();
            String name = name();
            Bare value = takes('=') ? bare() : Bare.TRUE;
            if (parameters.put(name, value) != null || parameters.size() > MOST) throw malformed();
        }
        return parameters;
    }

    private String name() {
        int begin = at;
        if (!isLower(peek()) && peek() != '*') throw malformed();
        while (isLower(peek()) || isDigit(peek()) || "_-.*".indexOf(peek()) >= 0) at++;
        return text.substring(begin, at);
    }

    private Bare bare() {
        char c = peek();
        if (c == '"') return text();
        if (c == ':') return octets();
        if (c == '?') return bool();
        if (c == '-' || isDigit(c)) return number();
        if (c == '*' || isLetter(c)) return token();
        throw malformed();
    }

    private Bare text() {
        int end = text.indexOf('"', ++at);
        if (end >= 0 && isPlain(at, end)) {
            String plain = text.substring(at, end);
            at = end + 1;
            return new Bare(Kind.TEXT, plain);
        }
        var said = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') return new Bare(Kind.TEXT, said.toString());
            if (c == '\\') {
                c = next();
                if (c != '"' && c != '\\') throw malformed();
            }
            if (c < ' ' || c > '~') throw malformed();
            said.append(c);
        }
    }

    /// Whether nothing in it is escaped, or has to be.
    private boolean isPlain(int begin, int end) {
        for (int i = begin; i < end; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '\\') return false;
        }
        return true;
    }

    private Bare octets() {
        int begin = ++at;
        int end = text.indexOf(':', begin);
        if (end < 0) throw malformed();
        String encoded = text.substring(begin, end);
        if (!isBase64(encoded)) throw malformed();
        at = end + 1;
        return new Bare(Kind.OCTETS, encoded);
    }

    /// Whether the text is the one that an encoder writes.
    static boolean isBase64(String encoded) {
        try {
            byte[] octets = Base64.getDecoder().decode(encoded);
            return Base64.getEncoder().encodeToString(octets).equals(encoded);
        } catch (IllegalArgumentException e) {
            return false; // another alphabet
        }
    }

    private Bare bool() {
        at++;
        char c = next();
        if (c != '0' && c != '1') throw malformed();
        return new Bare(Kind.BOOL, String.valueOf(c));
    }

    private Bare number() {
        int begin = at;
        boolean negative = takes('-');
        int whole = digits();
        if (whole == 0) throw malformed();
        if (peek() != '.') {
            if (whole > MOST_DIGITS) throw malformed();
            return new Bare(Kind.INTEGER, Long.toString(Long.parseLong(text, begin, at, 10)));
        }
        if (whole > MOST_WHOLE_DIGITS) throw malformed();
        String before = Long.toString(Long.parseLong(text, at - whole, at, 10));
        at++;
        int fraction = digits();
        if (fraction == 0 || fraction > 3) throw malformed();
        int end = at;
        while (text.charAt(end - 1) == '0' && text.charAt(end - 2) != '.') end--;
        return new Bare(Kind.DECIMAL, (negative ? "-" : "") + before + '.' + text.substring(at - fraction, end));
    }

    private int digits() {
        int begin = at;
        while (isDigit(peek())) at++;
        return at - begin;
    }

    private Bare token() {
        int begin = at;
        while (HeaderText.isTokenCharacter(peek()) || peek() == ':' || peek() == '/') at++;
        return new Bare(Kind.TOKEN, text.substring(begin, at));
    }

    private void skipSpaces() {
        while (peek() == ' ') at++;
    }

    private void skipWhitespace() {
        while (peek() == ' ' || peek() == '\t') at++;
    }

    private boolean takes(char c) {
        if (peek() != c) return false;
        at++;
        return true;
    }

    /// NUL, which is in no field, at the end.
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private char next() {
        if (at == text.length()) throw malformed();
        return text.charAt(at++);
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static BadSignatureException malformed() {
        return new BadSignatureException(SignatureFlaw.MALFORMED);
    }
}
