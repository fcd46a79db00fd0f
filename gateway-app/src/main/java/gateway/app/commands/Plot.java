package gateway.app.commands;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Latency over rate, as an SVG that reads on light and dark grounds.
///
/// @param capacity requests a second that one CPU carries at [Sizing#USE]; drawn as a line where it is in sight
record Plot(List<RateResult> points, double capacity) {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 360;
    private static final int LEFT = 64;
    private static final int RIGHT = 16;
    private static final int TOP = 36;
    private static final int BOTTOM = 48;
    private static final int TICKS = 5;

    String svg() {
        var svg = new StringBuilder();
        svg.append("""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
            <style>text{fill:#444}line{stroke:#999}@media(prefers-color-scheme:dark){text{fill:#ccc}line{stroke:#666}}</style>
            <text x="%d" y="20" font-size="14">Latency from the moment a request was due</text>
            """.formatted(WIDTH, HEIGHT, LEFT));
        axes(svg);
        if (capacity < mostRate()) marker(svg);
        curve(svg, "#1f77b4", "p50", point -> point.latency().p50(), 0);
        curve(svg, "#d62728", "p99", point -> point.latency().p99(), 1);
        return svg.append("</svg>\n").toString();
    }

    private void axes(StringBuilder svg) {
        for (int tick = 0; tick <= TICKS; tick++) {
            double rate = mostRate() * tick / TICKS;
            double latency = mostLatency() * tick / TICKS;
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n",
                    x(rate),
                    HEIGHT - BOTTOM + 18,
                    rate));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2g ms</text>\n",
                    LEFT - 6,
                    y(latency) + 4,
                    latency));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" opacity=\".4\"/>\n",
                    LEFT,
                    WIDTH - RIGHT,
                    y(latency),
                    y(latency)));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">requests/s</text>\n",
                WIDTH / 2,
                HEIGHT - 8));
    }

    private void marker(StringBuilder svg) {
        double x = x(capacity);
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke-dasharray=\"4\"/>\n",
                x,
                x,
                TOP,
                HEIGHT - BOTTOM));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\">%.0f%% of one CPU</text>\n",
                x + 4,
                TOP + 12,
                100 * Sizing.USE));
    }

    private void curve(StringBuilder svg, String colour, String name, ToDoubleFunction<RateResult> latency, int place) {
        var path = new StringBuilder();
        for (RateResult point : points) {
            double x = x(point.offered());
            double y = y(latency.applyAsDouble(point));
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            svg.append(String.format(
                    Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x, y, colour));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                path,
                colour));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"20\" style=\"fill:%s\">%s</text>\n",
                WIDTH - RIGHT - 80 + 40 * place,
                colour,
                name));
    }

    private double x(double rate) {
        return LEFT + (WIDTH - LEFT - RIGHT) * rate / mostRate();
    }

    private double y(double latency) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * latency / mostLatency();
    }

    private double mostRate() {
        return points.stream().mapToDouble(RateResult::offered).max().orElse(1);
    }

    private double mostLatency() {
        return points.stream().mapToDouble(point -> point.latency().p99()).max().orElse(1);
    }
}
