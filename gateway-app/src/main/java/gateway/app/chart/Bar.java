package gateway.app.chart;

import gateway.json.ConfigNode;

/// One value of a [BarChart].
///
/// @param words what stands behind the bar
/// @param ours whether it is the gateway's own, which is told apart from its peers
public record Bar(String name, double value, Spread spread, String words, boolean ours) {
    static Bar read(ConfigNode node) {
        double value = Chart.number(node.field("value"));
        var bar = new Bar(
                node.field("name").requiredText(),
                value,
                Spread.read(node, value),
                node.field("words").text(Scale.words(value)),
                node.field("ours").bool(false));
        node.refuseUnknownFields();
        return bar;
    }
}
