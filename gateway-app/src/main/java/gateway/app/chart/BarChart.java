package gateway.app.chart;

import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;

/// Horizontal bars from 0, the least first, each with what it varied by.
public record BarChart(String title, String unit, List<Bar> bars) implements Chart {
    private static final int TOP = 52;
    private static final int ROW = 28;
    private static final int THICK = 20;
    private static final int FOOT = 46;
    private static final int WIDEST_NAME = 300;
    private static final int RIGHT = 150; // for the words behind the longest
    private static final String OURS = Drawing.colour(1);
    private static final String PEERS = Drawing.colour(0);

    public BarChart {
        bars = bars.stream().sorted(Comparator.comparingDouble(Bar::value)).toList();
    }

    @Override
    public String svg() {
        var drawing = new Drawing();
        double names =
                bars.stream().mapToDouble(bar -> Drawing.width(bar.name())).reduce(0, Math::max);
        double left = 24 + Math.min(WIDEST_NAME, names);
        Scale scale = Scale.over(bars.stream().flatMapToDouble(BarChart::ends), left, Drawing.WIDTH - RIGHT);
        double end = TOP + ROW * (double) bars.size();
        for (int row = 0; row < bars.size(); row++) bar(drawing, scale, left, TOP + ROW * (double) row, bars.get(row));
        drawing.line(scale.place(0), TOP - 4, scale.place(0), end, "axis");
        drawing.text(left, end + 24, "start", "", unit);
        return drawing.document(title, end + FOOT);
    }

    private static void bar(Drawing drawing, Scale scale, double left, double y, Bar bar) {
        double zero = scale.place(0);
        double value = scale.place(bar.value());
        double most = value;
        drawing.text(left - 10, y + 15, "end", bar.ours() ? "ours" : "", bar.name());
        drawing.box(Math.min(zero, value), y, Math.max(1, Math.abs(value - zero)), THICK, bar.ours() ? OURS : PEERS);
        if (bar.spread().isSeen()) {
            double middle = y + THICK / 2.0;
            most = scale.place(bar.spread().high());
            drawing.line(scale.place(bar.spread().low()), middle, most, middle, "spread");
        }
        drawing.text(Math.max(most, zero) + 8, y + 15, "start", bar.ours() ? "ours" : "", bar.words());
    }

    private static DoubleStream ends(Bar bar) {
        return DoubleStream.of(bar.value(), bar.spread().low(), bar.spread().high());
    }
}
