package gateway.app.chart;

import gateway.json.ConfigNode;
import java.util.List;

/// A drawing of figures that reads on light and dark pages alike.
public sealed interface Chart permits BarChart, LineChart {
    /// A whole SVG document.
    String svg();

    /// What a document describes: an object with `bars`, or one with `lines`.
    ///
    /// ```json
    /// {"title": "CPU time a request", "unit": "µs",
    ///  "bars": [{"name": "nginx", "value": 12.5, "low": 11.9, "high": 13.8, "words": "12.5 µs", "ours": false}]}
    /// {"title": "P99 by connections", "across": "connections", "up": "ms",
    ///  "lines": [{"name": "GET", "points": [{"x": 100, "y": 2.5, "low": 2.1, "high": 2.9}]}]}
    /// ```
    static Chart read(ConfigNode node) {
        String title = node.field("title").requiredText();
        Chart chart;
        if (node.field("bars").isPresent()) {
            List<Bar> bars = node.field("bars").list(Bar::read);
            chart = new BarChart(title, node.field("unit").text(), bars);
        } else {
            List<Line> lines = node.field("lines").list(Line::read);
            if (lines.isEmpty()) node.problem("expected bars or lines");
            chart = new LineChart(
                    title, node.field("across").text(), node.field("up").text(), lines);
        }
        node.refuseUnknownFields();
        return chart;
    }

    /// A finite number.
    static double number(ConfigNode node) {
        double value = node.json()
                .filter(json -> json.isNumber())
                .map(json -> json.doubleValue())
                .orElse(Double.NaN);
        if (Double.isFinite(value)) return value;
        node.problem("expected a number");
        return 0;
    }
}
