package gateway.policies.message.xml;

import gateway.json.TextCut;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a rule of XML Schema (Part 1, Appendix C: cvc) asks for, in words that hold nothing of the message.
final class XmlRule {
    private static final int LONGEST = 200;
    private static final String EXPECTED = "One of '{";

    /// By the beginning of the rule's name; the first one counts.
    private static final Map<String, String> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("cvc-complex-type.2.4.b", "an element is missing");
        WORDS.put("cvc-complex-type.2.4.i", "an element is missing");
        WORDS.put("cvc-complex-type.2.4.j", "an element is missing");
        WORDS.put("cvc-complex-type.2.4", "an element that is not expected here");
        WORDS.put("cvc-complex-type.2.3", "text where only elements may be");
        WORDS.put("cvc-complex-type.2", "content where none may be");
        WORDS.put("cvc-complex-type.3", "an attribute that is not allowed");
        WORDS.put("cvc-complex-type.4", "an attribute is missing");
        WORDS.put("cvc-attribute", "a value that is not of its type");
        WORDS.put("cvc-datatype-valid", "a value that is not of its type");
        WORDS.put("cvc-pattern-valid", "a value that is not of its pattern");
        WORDS.put("cvc-enumeration-valid", "a value that is none of those listed");
        WORDS.put("cvc-length-valid", "a value of another length");
        WORDS.put("cvc-minLength-valid", "a value that is too short");
        WORDS.put("cvc-maxLength-valid", "a value that is too long");
        WORDS.put("cvc-min", "a value that is too small");
        WORDS.put("cvc-max", "a value that is too large");
        WORDS.put("cvc-totalDigits-valid", "a value with too many digits");
        WORDS.put("cvc-fractionDigits-valid", "a value with too many fraction digits");
        WORDS.put("cvc-elt.1", "an element that no schema declares");
        WORDS.put("cvc-elt.2", "an abstract element");
        WORDS.put("cvc-elt.3", "xsi:nil where it may not be, or with content");
        WORDS.put("cvc-elt.4", "a type by xsi:type that may not stand here");
        WORDS.put("cvc-elt.5", "not the value that is fixed");
        WORDS.put("cvc-type.2", "an abstract type");
        WORDS.put("cvc-type", "a value that is not of its type");
        WORDS.put("cvc-identity-constraint", "a key that is missing, there twice, or leads nowhere");
        WORDS.put("cvc-id", "an ID that is there twice, or is referred to and missing");
    }

    private XmlRule() {}

    /// Whether it says of a value once more what another one has said.
    static boolean repeats(String said) {
        return said.startsWith("cvc-type.3.1.3") || said.startsWith("cvc-attribute.3");
    }

    /// @param said by the validator: the rule's name, and words that may hold what the message has
    static String words(String said) {
        int end = said.indexOf(':');
        String name = end < 0 || !said.startsWith("cvc-") ? "" : said.substring(0, end);
        String words = WORDS.entrySet().stream()
                .filter(each -> name.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("what the schema does not allow");
        return words + expected(said) + (name.isEmpty() ? "" : " (" + name + ")");
    }

    /// The names that the schema would take; what the message has stands before them.
    private static String expected(String said) {
        int begin = said.lastIndexOf(EXPECTED);
        int end = begin < 0 ? -1 : said.indexOf("}'", begin);
        if (end < 0) return "";
        String names = said.substring(begin + EXPECTED.length(), end);
        return ", expected " + TextCut.told(names, LONGEST);
    }
}
