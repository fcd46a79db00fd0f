package gateway.app.chart;

import gateway.json.ConfigNode;
import java.util.Comparator;
import java.util.List;

/// One line of a [LineChart].
///
/// @param points in order of `x`
public record Line(String name, List<Point> points) {
    public Line {
        points = points.stream().sorted(Comparator.comparingDouble(Point::x)).toList();
    }

    /// A place on a line.
    public record Point(double x, double y, Spread spread) {
        public static Point at(double x, double y) {
            return new Point(x, y, Spread.at(y));
        }

        static Point read(ConfigNode node) {
            double y = Chart.number(node.field("y"));
            var point = new Point(Chart.number(node.field("x")), y, Spread.read(node, y));
            node.refuseUnknownFields();
            return point;
        }
    }

    static Line read(ConfigNode node) {
        var line =
                new Line(node.field("name").requiredText(), node.field("points").list(Point::read));
        node.refuseUnknownFields();
        return line;
    }
}
