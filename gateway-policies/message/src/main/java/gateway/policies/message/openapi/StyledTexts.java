package gateway.policies.message.openapi;

import gateway.policies.message.openapi.NamedTexts.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Texts of a parameter, taken apart as its style has it, before they are decoded: a separator that is percent-encoded
/// belongs to a value.
///
/// @param explode whether each element, or member, stands for itself
/// @param name of the parameter
record StyledTexts(ParameterStyle style, boolean explode, String name) {
    /// Most elements and members of the arrays and objects of a form; no head has room for as many.
    static final int MOST = 100_000;

    /// What is left of a text when what the style puts before it is taken away; empty when that is not there.
    private Optional<String> bare(String raw) {
        return switch (style) {
            case LABEL -> raw.startsWith(".") ? Optional.of(raw.substring(1)) : Optional.empty();
            case MATRIX -> raw.startsWith(";") ? Optional.of(raw.substring(1)) : Optional.empty();
            case FORM, SIMPLE, SPACE_DELIMITED, PIPE_DELIMITED, DEEP_OBJECT -> Optional.of(raw);
        };
    }

    /// A value that is no array and no object; empty when it is not one text.
    Optional<String> one(List<String> raws) {
        if (raws.size() != 1) return Optional.empty();
        Optional<String> bare = bare(raws.getFirst());
        return style == ParameterStyle.MATRIX ? bare.flatMap(this::unnamed) : bare;
    }

    private Optional<String> unnamed(String text) {
        return text.startsWith(name + '=') ? Optional.of(text.substring(name.length() + 1)) : Optional.empty();
    }

    /// The elements of an array; empty when they cannot be told apart.
    Optional<List<String>> elements(List<String> raws) {
        boolean repeated = style == ParameterStyle.FORM && explode;
        if (repeated) return Optional.of(raws);
        if (raws.size() != 1) return Optional.empty();
        Optional<String> bare = bare(raws.getFirst());
        if (bare.isEmpty()) return Optional.empty();
        String text = bare.get();
        return switch (style) {
            case SPACE_DELIMITED -> Optional.of(split(text.replace("%20", " ").replace('+', ' '), ' '));
            case PIPE_DELIMITED -> Optional.of(split(text.replace("%7C", "|").replace("%7c", "|"), '|'));
            case LABEL -> Optional.of(split(text, explode ? '.' : ','));
            case MATRIX -> explode ? all(split(text, ';')) : unnamed(text).map(each -> split(each, ','));
            case FORM, SIMPLE, DEEP_OBJECT -> Optional.of(split(text, ','));
        };
    }

    private Optional<List<String>> all(List<String> named) {
        var values = new ArrayList<String>();
        for (String each : named) unnamed(each).ifPresent(values::add);
        return values.size() == named.size() ? Optional.of(values) : Optional.empty();
    }

    /// The members of an object that stands in one text; empty when they cannot be told apart.
    Optional<List<Field>> members(List<String> raws) {
        if (raws.size() != 1) return Optional.empty();
        Optional<String> bare = bare(raws.getFirst());
        if (bare.isEmpty()) return Optional.empty();
        String text = bare.get();
        return switch (style) {
            case LABEL -> explode ? pairs(split(text, '.')) : alternate(split(text, ','));
            case MATRIX ->
                explode ? pairs(split(text, ';')) : unnamed(text).flatMap(each -> alternate(split(each, ',')));
            case SPACE_DELIMITED -> alternate(split(text.replace("%20", " ").replace('+', ' '), ' '));
            case PIPE_DELIMITED -> alternate(split(text.replace("%7C", "|").replace("%7c", "|"), '|'));
            case FORM, SIMPLE, DEEP_OBJECT -> explode ? pairs(split(text, ',')) : alternate(split(text, ','));
        };
    }

    private static Optional<List<Field>> pairs(List<String> texts) {
        var fields = new ArrayList<Field>();
        for (String each : texts) {
            int equals = each.indexOf('=');
            if (equals < 0) return Optional.empty();
            fields.add(new Field(each.substring(0, equals), each.substring(equals + 1)));
        }
        return Optional.of(fields);
    }

    private static Optional<List<Field>> alternate(List<String> texts) {
        if (texts.size() % 2 != 0) return Optional.empty();
        var fields = new ArrayList<Field>();
        for (int i = 0; i < texts.size(); i += 2) fields.add(new Field(texts.get(i), texts.get(i + 1)));
        return Optional.of(fields);
    }

    /// An empty text has no elements. Up to one more than [#MOST].
    private static List<String> split(String text, char mark) {
        if (text.isEmpty()) return List.of();
        var all = new ArrayList<String>();
        int from = 0;
        for (int at = text.indexOf(mark); at >= 0 && all.size() < MOST; at = text.indexOf(mark, from)) {
            all.add(text.substring(from, at));
            from = at + 1;
        }
        all.add(text.substring(from));
        return all;
    }
}
