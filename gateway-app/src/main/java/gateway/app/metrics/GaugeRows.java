package gateway.app.metrics;

import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Rows of a gauge that has one for each name.
public final class GaugeRows {
    private GaugeRows() {}

    /// @param tag whose values the names are
    public static List<Row<?>> of(Map<String, ? extends Number> values, String tag) {
        var rows = new ArrayList<Row<?>>();
        values.forEach((name, value) -> rows.add(Row.of(Tags.of(tag, name), value)));
        return rows;
    }
}
