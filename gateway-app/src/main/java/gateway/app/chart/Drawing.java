package gateway.app.chart;

import com.google.errorprone.annotations.FormatMethod;
import java.util.List;
import java.util.Locale;

/// An SVG document in the making: a card of its own with a title, and colours for light and dark pages.
final class Drawing {
    static final int WIDTH = 720;
    static final int FIRST_ROW = 42; // under the title
    private static final double LETTER = 7.4;
    private static final List<String> COLOURS =
            List.of("#2f7ed8", "#e8743b", "#19a979", "#945ecf", "#d43d51", "#8c8c2a", "#13a4b4", "#b0628f");
    private static final String STYLE = """
            text{font-family:system-ui,sans-serif;font-size:13px;fill:#24292f}.title{font-size:16px;font-weight:600}
            .card{fill:#fff;stroke:#d0d7de}.grid{stroke:#d8dee4}.axis,.spread{stroke:#6e7781}.ours{font-weight:600}
            @media(prefers-color-scheme:dark){text{fill:#e6edf3}.card{fill:#161b22;stroke:#30363d}.grid{stroke:#30363d}
            .axis,.spread{stroke:#8b949e}}""";

    private final StringBuilder parts = new StringBuilder();

    static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    static double width(String words) {
        return LETTER * words.length();
    }

    void text(double x, double y, String anchor, String kind, String words) {
        part("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>", x, y, anchor, kind(kind), escaped(words));
    }

    /// Turned to be read from below.
    void upright(double x, double y, String words) {
        part(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">%s</text>",
                x, y, x, y, escaped(words));
    }

    void line(double x1, double y1, double x2, double y2, String kind) {
        part("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s/>", x1, y1, x2, y2, kind(kind));
    }

    /// A line of a colour from `y1` to `y2`.
    void upAndDown(double x, double y1, double y2, String colour) {
        part("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x, y1, x, y2, colour);
    }

    void box(double x, double y, double width, double height, String colour) {
        part(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\"/>",
                x, y, width, height, colour);
    }

    void dot(double x, double y, String colour) {
        part("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", x, y, colour);
    }

    void path(String points, String colour) {
        part("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\" points=\"%s\"/>", colour, points.strip());
    }

    String document(String title, double height) {
        String head = String.format(
                Locale.ROOT,
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" height="%.0f" role="img" aria-label="%s">
                <style>%s</style>
                <rect class="card" x="0.5" y="0.5" width="%d" height="%.0f" rx="8"/>
                <text x="16" y="28" class="title">%s</text>
                """,
                WIDTH,
                height,
                WIDTH,
                height,
                escaped(title),
                STYLE,
                WIDTH - 1,
                height - 1,
                escaped(title));
        return head + parts + "</svg>\n";
    }

    @FormatMethod
    private void part(String format, Object... values) {
        parts.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String kind(String kind) {
        return kind.isEmpty() ? "" : " class=\"" + kind + "\"";
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
