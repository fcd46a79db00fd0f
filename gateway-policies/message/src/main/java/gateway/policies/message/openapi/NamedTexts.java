package gateway.policies.message.openapi;

import gateway.policies.message.form.FormPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Texts by name in the order they came in: of a query, a form, or cookies.
///
/// @param fields names decoded, values as sent
/// @param broken whether a name could not be decoded
record NamedTexts(List<Field> fields, boolean broken) {
    /// Most fields of a form, a query or cookies.
    static final int MOST = 1_000;

    record Field(String name, String raw) {}

    NamedTexts {
        fields = List.copyOf(fields);
    }

    /// Of a query or a form, up to one field more than [#MOST].
    static NamedTexts of(String text) {
        var fields = new ArrayList<Field>();
        boolean broken = false;
        for (int from = 0; from < text.length() && fields.size() <= MOST; ) {
            int end = end(text, '&', from);
            if (end > from) {
                int equals = Math.min(end, end(text, '=', from));
                Optional<String> name = PercentText.decoded(text.substring(from, equals), true);
                broken |= name.isEmpty();
                String raw = equals == end ? "" : text.substring(equals + 1, end);
                name.ifPresent(each -> fields.add(new Field(each, raw)));
            }
            from = end + 1;
        }
        return new NamedTexts(fields, broken);
    }

    /// Of lines of `Cookie` (RFC 6265 §4.2), up to one more than [#MOST].
    static NamedTexts ofCookies(List<String> lines) {
        var fields = new ArrayList<Field>();
        for (String line : lines) {
            for (int from = 0; from < line.length() && fields.size() <= MOST; ) {
                int end = end(line, ';', from);
                String piece = line.substring(from, end).strip();
                if (!piece.isEmpty()) fields.add(cookie(piece));
                from = end + 1;
            }
        }
        return new NamedTexts(fields, false);
    }

    private static Field cookie(String piece) {
        int equals = end(piece, '=', 0);
        String raw = equals == piece.length() ? "" : piece.substring(equals + 1).strip();
        boolean quoted = raw.length() > 1 && raw.startsWith("\"") && raw.endsWith("\"");
        return new Field(piece.substring(0, equals).strip(), quoted ? raw.substring(1, raw.length() - 1) : raw);
    }

    private static int end(String text, char mark, int from) {
        int end = text.indexOf(mark, from);
        return end < 0 ? text.length() : end;
    }

    List<String> all(String name) {
        var found = new ArrayList<String>(1);
        for (Field each : fields) if (each.name.equals(name)) found.add(each.raw);
        return found;
    }

    List<Field> where(Predicate<String> name) {
        return fields.stream().filter(each -> name.test(each.name)).toList();
    }

    /// Whether a field of this form has the others read in another charset than UTF-8.
    boolean namesOtherCharset() {
        return fields.stream()
                .anyMatch(each -> PercentText.decoded(each.raw, true)
                        .filter(value -> FormPart.namesOtherCharset(each.name, value))
                        .isPresent());
    }

    /// Whether `name` can be read in two ways: it stands there by itself beside its members, or with a bracket that
    /// does not end.
    boolean isMixed(String name) {
        boolean alone = false;
        boolean members = false;
        for (Field each : fields) {
            boolean member = each.name.startsWith(name + '[');
            if (member && !each.name.endsWith("]")) return true;
            members |= member;
            alone |= each.name.equals(name);
        }
        return alone && members;
    }

    /// Members of `name` written as `name[member]`.
    List<Field> deep(String name) {
        var members = new ArrayList<Field>();
        for (Field each : fields) {
            String written = each.name;
            boolean member = written.startsWith(name + '[') && written.endsWith("]");
            if (member) members.add(new Field(written.substring(name.length() + 1, written.length() - 1), each.raw));
        }
        return members;
    }
}
