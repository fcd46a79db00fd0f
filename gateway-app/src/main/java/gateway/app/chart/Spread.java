package gateway.app.chart;

import gateway.json.ConfigNode;

/// From the least to the most that was seen of a value.
public record Spread(double low, double high) {
    /// No spread: what was seen once.
    public static Spread at(double value) {
        return new Spread(value, value);
    }

    static Spread read(ConfigNode node, double value) {
        ConfigNode low = node.field("low");
        ConfigNode high = node.field("high");
        return new Spread(
                low.isPresent() ? Math.min(value, Chart.number(low)) : value,
                high.isPresent() ? Math.max(value, Chart.number(high)) : value);
    }

    boolean isSeen() {
        return low < high;
    }
}
