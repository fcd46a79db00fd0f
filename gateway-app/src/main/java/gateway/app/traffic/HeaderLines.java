package gateway.app.traffic;

import java.util.List;
import java.util.Locale;

/// Writes header lines as one JSON object: names in lower case, each once, with the array of its values.
final class HeaderLines {
    /// @param lines name, value, name, value …
    void write(List<String> lines, JsonBytes json) {
        json.raw('{');
        boolean first = true;
        for (int i = 0; i < lines.size(); i += 2) {
            if (isRepeated(lines, i)) continue;
            if (!first) json.raw(',');
            first = false;
            json.text(lines.get(i).toLowerCase(Locale.ROOT)).raw(':');
            writeValues(lines, i, json);
        }
        json.raw('}');
    }

    private static boolean isRepeated(List<String> lines, int place) {
        for (int i = 0; i < place; i += 2) {
            if (lines.get(i).equalsIgnoreCase(lines.get(place))) return true;
        }
        return false;
    }

    private static void writeValues(List<String> lines, int place, JsonBytes json) {
        json.raw('[').text(lines.get(place + 1));
        for (int i = place + 2; i < lines.size(); i += 2) {
            if (lines.get(i).equalsIgnoreCase(lines.get(place))) json.raw(',').text(lines.get(i + 1));
        }
        json.raw(']');
    }
}
