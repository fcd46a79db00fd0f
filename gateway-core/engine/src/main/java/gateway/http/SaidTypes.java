package gateway.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The media types that a message says its content is of, in lower case and without parameters. Where there are several
/// of them, each reader takes another one.
public final class SaidTypes {
    private static final String FIELD = "Content-Type";

    private SaidTypes() {}

    /// All of them, whether they stand in lines or behind commas.
    public static List<String> of(Headers fields) {
        List<String> lines = fields.all(FIELD);
        if (lines.size() == 1 && lines.getFirst().indexOf(',') < 0) return List.of(bare(lines.getFirst()));
        var types = new ArrayList<String>();
        for (String line : lines) for (String each : line.split(",", -1)) types.add(bare(each));
        return types;
    }

    /// Whether a message says more than one.
    public static boolean areSeveral(Headers fields) {
        List<String> lines = fields.all(FIELD);
        return lines.size() > 1 || (lines.size() == 1 && bare(lines.getFirst()).indexOf(',') >= 0);
    }

    /// @throws BodyRefusedException when there are several
    public static void requireOne(Headers fields) {
        if (areSeveral(fields)) throw BodyRefusedException.type("said to be of several types");
    }

    private static String bare(String line) {
        int end = line.indexOf(';');
        return (end < 0 ? line : line.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
