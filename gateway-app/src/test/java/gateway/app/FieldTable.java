package gateway.app;

import gateway.json.Durations;
import gateway.json.Shape;
import gateway.json.Shape.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Writes the fields of a shape as the table that stands on its page.
final class FieldTable {
    /// Those that every policy has: docs/conditions.md, docs/report-mode.md.
    private static final Set<String> OF_ALL = Set.of("type", "id", "when", "mode", "scope", "use");

    private static final long KIB = 1024;

    private final List<String> rows = new ArrayList<>();
    private final Set<String> elsewhere;

    private FieldTable(Set<String> elsewhere) {
        this.elsewhere = elsewhere;
    }

    static String ofPolicy(Shape shape) {
        return of(shape, OF_ALL);
    }

    static String of(Shape shape) {
        return of(shape, Set.of());
    }

    /// @param elsewhere fields that stand on other pages
    private static String of(Shape shape, Set<String> elsewhere) {
        var table = new FieldTable(elsewhere);
        table.rows.add("| field | type | default | meaning |");
        table.rows.add("|---|---|---|---|");
        table.addFields("", shape, true);
        table.addFields("", shape, false);
        return String.join("\n", table.rows);
    }

    /// @param own whether those come that are the shape's own, or `onOutage`
    private void addFields(String prefix, Shape shape, boolean own) {
        for (Kind kind : shape.kinds()) {
            switch (kind) {
                case Kind.Fields(Map<String, Shape> fields, boolean _) ->
                    fields.forEach((name, field) -> {
                        boolean shown = prefix.isEmpty() ? !elsewhere.contains(name) : own;
                        if (shown && (!prefix.isEmpty() || own != name.equals("onOutage"))) add(prefix + name, field);
                    });
                case Kind.Items(Shape element) -> {
                    if (own) addFields(prefix.substring(0, prefix.length() - 1) + "[].", element, true);
                }
                case Kind.Text _,
                        Kind.Scalar _,
                        Kind.Flag _,
                        Kind.Whole _,
                        Kind.Share _,
                        Kind.Length _,
                        Kind.Size _,
                        Kind.Time _,
                        Kind.Choice _,
                        Kind.Members _,
                        Kind.Named _,
                        Kind.OneOf _ -> {}
            }
        }
    }

    private void add(String name, Shape field) {
        rows.add("| `" + name + "` | " + type(field) + " | " + fallback(field) + " | " + field.meaning() + " |");
        addFields(name + ".", field, true);
    }

    private static String type(Shape shape) {
        if (shape.kinds().isEmpty()) return shape.form().isEmpty() ? "any JSON" : shape.form();
        return shape.kinds().stream().map(kind -> type(kind, shape.form())).collect(Collectors.joining(" or "));
    }

    private static String type(Kind kind, String form) {
        return switch (kind) {
            case Kind.Items(Shape element) -> "array of " + (form.isEmpty() ? type(element) : form);
            case Kind.Members(Shape value) -> "object of " + (form.isEmpty() ? type(value) : form);
            case Kind.Named(String shape) -> form.isEmpty() ? named(shape) : form;
            case Kind.Fields _, Kind.OneOf _ -> form.isEmpty() ? "object" : form;
            case Kind.Text _ -> form.isEmpty() ? "text" : form;
            case Kind.Scalar() -> "text, number or boolean";
            case Kind.Flag() -> "boolean";
            case Kind.Share() -> "0 to 1";
            case Kind.Time() -> "time";
            case Kind.Whole(long min, long max) -> min + " to " + max;
            case Kind.Length(Duration min, Duration max) ->
                "duration, `" + Durations.text(min) + "` to `" + Durations.text(max) + '`';
            case Kind.Size(long min, long max) -> "size, " + size(min) + " to " + size(max);
            case Kind.Choice(List<String> words) ->
                words.stream().map(word -> '`' + word + '`').collect(Collectors.joining(", "));
        };
    }

    private static String named(String shape) {
        return shape.equals("SecretReference") ? "[secret](../secrets.md)" : "object";
    }

    private static String size(long bytes) {
        if (bytes == 0) return "0";
        long gib = KIB * KIB * KIB;
        if (bytes % gib == 0) return "`" + bytes / gib + "GiB`";
        return bytes % KIB == 0 ? "`" + bytes / KIB + "KiB`" : "`" + bytes + "B`";
    }

    private static String fallback(Shape shape) {
        if (shape.required()) return "required";
        if (!shape.unlessGiven().isEmpty()) return shape.unlessGiven();
        if (shape.fallback().isPresent()) return '`' + text(shape.fallback().get()) + '`';
        return switch (shape.kinds().isEmpty() ? new Kind.Flag() : shape.kinds().getFirst()) {
            case Kind.Items _ -> "`[]`";
            case Kind.Members _ -> "`{}`";
            case Kind.Text _,
                    Kind.Scalar _,
                    Kind.Flag _,
                    Kind.Whole _,
                    Kind.Share _,
                    Kind.Length _,
                    Kind.Size _,
                    Kind.Time _,
                    Kind.Choice _,
                    Kind.Fields _,
                    Kind.Named _,
                    Kind.OneOf _ -> "none";
        };
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
