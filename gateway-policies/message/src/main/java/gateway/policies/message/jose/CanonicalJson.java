package gateway.policies.message.jose;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The one text of a JSON value that both sides sign, however it is laid out on its way (RFC 8785).
final class CanonicalJson {
    private static final int MOST_DIGITS = 21; // written without an exponent, as ECMAScript does
    private static final int LEAST_EXPONENT = -6;

    private final StringBuilder text = new StringBuilder();
    private final boolean exact;

    private CanonicalJson(boolean exact) {
        this.exact = exact;
    }

    /// @param exact refuses numbers that have no text of their own, since a double holds fewer digits: another number
    ///     would have the same signature
    /// @throws BadJoseException for such numbers, those beyond a double, and texts that are not Unicode
    static String of(JsonNode value, boolean exact) {
        var canonical = new CanonicalJson(exact);
        canonical.value(value);
        return canonical.text.toString();
    }

    private void value(JsonNode value) {
        if (value.isObject()) object(value);
        else if (value.isArray()) array(value);
        else if (value.isString()) string(value.stringValue());
        else if (value.isNumber()) number(value.decimalValue());
        else text.append(value.isNull() ? "null" : Boolean.toString(value.booleanValue()));
    }

    private void object(JsonNode object) {
        List<String> names = new ArrayList<>(object.propertyNames());
        names.sort(null); // by UTF-16 code units, as Java compares texts
        text.append('{');
        for (String name : names) {
            if (text.charAt(text.length() - 1) != '{') text.append(',');
            string(name);
            text.append(':');
            value(object.get(name));
        }
        text.append('}');
    }

    private void array(JsonNode array) {
        text.append('[');
        for (int i = 0; i < array.size(); i++) {
            if (i > 0) text.append(',');
            value(array.get(i));
        }
        text.append(']');
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\b' -> text.append("\\b");
                case '\t' -> text.append("\\t");
                case '\n' -> text.append("\\n");
                case '\f' -> text.append("\\f");
                case '\r' -> text.append("\\r");
                default -> {
                    if (c < ' ') text.append("\\u00").append(c < 16 ? '0' : '1').append(Character.forDigit(c % 16, 16));
                    else if (Character.isSurrogate(c)) i += pair(value, i);
                    else text.append(c);
                }
            }
        }
        text.append('"');
    }

    /// @return how many characters more than one it is
    private int pair(String value, int at) {
        int point = value.codePointAt(at);
        if (!Character.isSupplementaryCodePoint(point)) throw new BadJoseException("half a character");
        text.appendCodePoint(point);
        return 1;
    }

    private void number(BigDecimal value) {
        double number = value.doubleValue();
        if (!Double.isFinite(number)) throw new BadJoseException("a number beyond a double");
        if (number == 0) {
            if (exact && value.signum() != 0) throw new BadJoseException("a number of too many digits");
            text.append('0');
            return;
        }
        BigDecimal shortest = shortest(number);
        if (exact && shortest.compareTo(value) != 0) throw new BadJoseException("a number of too many digits");
        if (number < 0) text.append('-');
        String digits = shortest.unscaledValue().abs().toString();
        digits(digits, digits.length() - shortest.scale());
    }

    /// Of the decimals that are read as `number` the shortest, without zeros at its end. Java writes at least two
    /// digits.
    private static BigDecimal shortest(double number) {
        BigDecimal written = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        if (written.precision() != 2) return written;
        BigDecimal shorter = written.round(new MathContext(1)).stripTrailingZeros();
        return shorter.doubleValue() == number ? shorter : written;
    }

    /// @param point digits before the decimal point; may be none or less
    private void digits(String digits, int point) {
        int count = digits.length();
        if (count <= point && point <= MOST_DIGITS) {
            text.append(digits).repeat('0', point - count);
        } else if (0 < point && point <= MOST_DIGITS) {
            text.append(digits, 0, point).append('.').append(digits, point, count);
        } else if (LEAST_EXPONENT < point && point <= 0) {
            text.append("0.").repeat('0', -point).append(digits);
        } else {
            text.append(digits.charAt(0));
            if (count > 1) text.append('.').append(digits, 1, count);
            text.append('e').append(point > 0 ? "+" : "").append(point - 1);
        }
    }
}
