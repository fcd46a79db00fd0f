package gateway.policies.identity;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What dictionaries of structured fields (RFC 8941 §3.2) are made of, and how it is written so that two who read the
/// same write the same (§4.1).
final class StructuredField {
    private StructuredField() {}

    /// The kinds of bare items. Dates and display texts of RFC 9651 are in no field that is read here.
    enum Kind {
        INTEGER,
        DECIMAL,
        TEXT,
        TOKEN,
        OCTETS,
        BOOL
    }

    /// @param text canonical: of an integer its digits, of a text what it says, of octets their Base64, of a boolean
    ///     `1` or `0`
    record Bare(Kind kind, String text) {
        static final Bare TRUE = new Bare(Kind.BOOL, "1");

        void write(StringBuilder to) {
            switch (kind) {
                case INTEGER, DECIMAL, TOKEN -> to.append(text);
                case TEXT -> {
                    to.append('"');
                    for (int i = 0; i < text.length(); i++) {
                        char c = text.charAt(i);
                        if (c == '"' || c == '\\') to.append('\\');
                        to.append(c);
                    }
                    to.append('"');
                }
                case OCTETS -> to.append(':').append(text).append(':');
                case BOOL -> to.append('?').append(text);
            }
        }

        byte[] octets() {
            return Base64.getDecoder().decode(text);
        }
    }

    /// What a dictionary holds under one name.
    sealed interface Member permits Item, InnerList {
        Map<String, Bare> parameters();

        void write(StringBuilder to);
    }

    /// Equal to one with the same parameters in whatever order.
    record Item(Bare value, Map<String, Bare> parameters) implements Member {
        Item {
            parameters = copied(parameters);
        }

        @Override
        public void write(StringBuilder to) {
            value.write(to);
            writeParameters(parameters, to);
        }
    }

    record InnerList(List<Item> items, Map<String, Bare> parameters) implements Member {
        InnerList {
            items = List.copyOf(items);
            parameters = copied(parameters);
        }

        @Override
        public void write(StringBuilder to) {
            to.append('(');
            for (int i = 0; i < items.size(); i++) {
                if (i > 0) to.append(' ');
                items.get(i).write(to);
            }
            to.append(')');
            writeParameters(parameters, to);
        }
    }

    /// In the same order; most have none.
    private static Map<String, Bare> copied(Map<String, Bare> parameters) {
        return parameters.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    private static void writeParameters(Map<String, Bare> parameters, StringBuilder to) {
        parameters.forEach((name, value) -> {
            to.append(';').append(name);
            if (value.equals(Bare.TRUE)) return;
            to.append('=');
            value.write(to);
        });
    }

    /// The dictionary that all lines of a field are together.
    ///
    /// @throws BadSignatureException when they are none
    static Map<String, Member> dictionary(List<String> lines) {
        if (lines.size() == 1 && !lines.getFirst().isBlank())
            return new StructuredFieldParser(lines.getFirst()).dictionary();
        var filled = new ArrayList<String>(lines.size());
        for (String each : lines) if (!each.isBlank()) filled.add(each);
        return new StructuredFieldParser(String.join(", ", filled)).dictionary();
    }
}
