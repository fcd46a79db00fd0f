package gateway.app.chart;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Lines over a true scale: twice as many connections lie twice as far.
///
/// @param across what the figures below mean
/// @param up what the figures on the left mean
public record LineChart(String title, String across, String up, List<Line> lines) implements Chart {
    private static final int HEIGHT = 400;
    private static final int LEFT = 84;
    private static final int RIGHT = 24;
    private static final int BOTTOM = 58;
    private static final int MOST_DOTS = 40; // more of them hide their line

    public LineChart {
        lines = List.copyOf(lines);
    }

    @Override
    public String svg() {
        var drawing = new Drawing();
        double top = legend(drawing);
        Scale x = Scale.over(points().mapToDouble(Line.Point::x), LEFT, Drawing.WIDTH - RIGHT);
        Scale y = Scale.over(points().flatMapToDouble(LineChart::ends), HEIGHT - BOTTOM, top);
        axes(drawing, x, y, top);
        for (int index = 0; index < lines.size(); index++)
            curve(drawing, x, y, lines.get(index), Drawing.colour(index));
        return drawing.document(title, HEIGHT);
    }

    private Stream<Line.Point> points() {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    private static DoubleStream ends(Line.Point point) {
        return DoubleStream.of(point.y(), point.spread().low(), point.spread().high());
    }

    /// Colours with their names, in as many rows as they need.
    ///
    /// @return where the rows end
    private double legend(Drawing drawing) {
        double x = 16;
        double y = Drawing.FIRST_ROW;
        for (int index = 0; index < lines.size(); index++) {
            String name = lines.get(index).name();
            double wide = 34 + Drawing.width(name);
            if (x > 16 && x + wide > Drawing.WIDTH - 8) {
                x = 16;
                y += 20;
            }
            drawing.box(x, y, 12, 12, Drawing.colour(index));
            drawing.text(x + 18, y + 11, "start", "", name);
            x += wide;
        }
        return y + 30;
    }

    private void axes(Drawing drawing, Scale x, Scale y, double top) {
        int right = Drawing.WIDTH - RIGHT;
        int bottom = HEIGHT - BOTTOM;
        y.marks().forEach(mark -> {
            drawing.line(LEFT, y.place(mark), right, y.place(mark), "grid");
            drawing.text(LEFT - 8, y.place(mark) + 4, "end", "", Scale.words(mark));
        });
        x.marks().forEach(mark -> drawing.text(x.place(mark), bottom + 20, "middle", "", Scale.words(mark)));
        drawing.line(LEFT, bottom, right, bottom, "axis");
        drawing.text((LEFT + right) / 2.0, HEIGHT - 14, "middle", "", across);
        drawing.upright(20, (top + bottom) / 2, up);
    }

    private static void curve(Drawing drawing, Scale x, Scale y, Line line, String colour) {
        var path = new StringBuilder();
        for (Line.Point point : line.points()) {
            double across = x.place(point.x());
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", across, y.place(point.y())));
            if (point.spread().isSeen()) {
                drawing.upAndDown(
                        across,
                        y.place(point.spread().low()),
                        y.place(point.spread().high()),
                        colour);
            }
            if (line.points().size() <= MOST_DOTS) drawing.dot(across, y.place(point.y()), colour);
        }
        drawing.path(path.toString(), colour);
    }
}
