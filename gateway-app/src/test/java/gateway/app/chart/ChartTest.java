package gateway.app.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import java.io.StringReader;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ChartTest {
    @Test
    void marks_are_round_and_reach_the_highest_value() {
        assertThat(Scale.over(DoubleStream.of(61193), 0, 1).marks().toArray())
                .containsExactly(0, 20_000, 40_000, 60_000, 80_000);
        assertThat(Scale.over(DoubleStream.empty(), 0, 1).marks().toArray()).containsExactly(0, 1);
        assertThat(Scale.over(DoubleStream.of(-3, 4), 0, 1).marks().toArray())
                .startsWith(-4)
                .endsWith(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"12500 | 12,500", "0.25 | 0.25", "3000000 | 3 M", "2 | 2", "-1.5 | -1.5"})
    void values_are_written_as_people_read_them(double value, String words) {
        assertThat(Scale.words(value)).isEqualTo(words);
    }

    @Test
    void twice_as_many_connections_lie_twice_as_far() throws Exception {
        var line = new Line("GET", List.of(point(500), point(100), point(250)));

        List<Double> places = numbers(drawn(new LineChart("t", "connections", "ms", List.of(line))), "circle", "cx");

        assertThat((places.get(2) - places.get(0)) / (places.get(1) - places.get(0)))
                .isBetween(2.6, 2.7); // 400 : 150
    }

    @Test
    void names_are_escaped_and_the_card_reads_on_light_and_dark_pages() throws Exception {
        var chart = new LineChart("a < b", "x", "y", List.of(new Line("GET & more", List.of(point(1)))));

        assertThat(chart.svg()).contains("GET &amp; more", "prefers-color-scheme:dark", "class=\"card\"");
        assertThat(drawn(chart).getElementsByTagName("circle").getLength()).isEqualTo(1);
    }

    @Test
    void a_long_legend_takes_more_rows_and_stays_on_the_card() throws Exception {
        List<Line> lines = IntStream.range(0, 8)
                .mapToObj(number -> new Line("POST 5 KB, ES On " + number, List.of(point(1))))
                .toList();

        Document document = drawn(new LineChart("t", "x", "y", lines));

        List<Double> rows =
                numbers(document, "rect", "y").stream().skip(1).distinct().toList();
        assertThat(rows).hasSizeGreaterThan(1);
        assertThat(numbers(document, "rect", "x")).allMatch(x -> x < Drawing.WIDTH - 100);
    }

    @Test
    void bars_are_sorted_and_those_below_zero_go_to_the_left() throws Exception {
        Document document = drawn(chart("""
                {"title": "t", "unit": "µs", "bars": [{"name": "more", "value": 4, "words": "+4"},
                 {"name": "less", "value": -2}]}"""));

        List<Double> from = numbers(document, "rect", "x");
        List<Double> wide = numbers(document, "rect", "width");
        assertThat(from.get(1)).isLessThan(from.get(2));
        assertThat(wide.get(2) / wide.get(1)).isBetween(1.99, 2.01);
    }

    @Test
    void what_rounds_differ_by_is_drawn_and_the_gateway_stands_out() throws Exception {
        Document document = drawn(chart("""
                {"title": "t", "bars": [{"name": "nginx", "value": 10, "low": 9, "high": 12},
                 {"name": "gateway", "value": 12, "ours": true}]}"""));

        assertThat(attributes(document, "line", "class")).containsExactly("spread", "axis");
        List<String> colours = attributes(document, "rect", "fill");
        assertThat(colours.get(1)).isNotEqualTo(colours.get(2));
    }

    @Test
    void what_rounds_of_a_line_differ_by_has_the_line_s_colour() throws Exception {
        Document document = drawn(chart("""
                {"title": "t", "across": "x", "up": "y", "lines": [
                 {"name": "a", "points": [{"x": 1, "y": 2, "low": 1, "high": 3}]},
                 {"name": "b", "points": [{"x": 1, "y": 4, "low": 3, "high": 5}]}]}"""));

        List<String> spreads = attributes(document, "line", "stroke").stream()
                .filter(colour -> !colour.isEmpty())
                .toList();
        assertThat(spreads).hasSize(2).isEqualTo(attributes(document, "circle", "fill"));
    }

    @Test
    void what_is_no_chart_is_refused_under_its_pointer() {
        assertThatThrownBy(() ->
                        chart("{\"title\": \"t\", \"bars\": [{\"name\": \"a\", \"value\": \"4\"}], \"lnes\": []}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/bars/0/value: expected a number")
                .hasMessageContaining("/lnes");
        assertThatThrownBy(() -> chart("{\"title\": \"t\"}")).hasMessageContaining("expected bars or lines");
    }

    private static Line.Point point(double x) {
        return Line.Point.at(x, 1);
    }

    private static Chart chart(String json) {
        ConfigNode node = ConfigNode.parse(json);
        Chart chart = Chart.read(node);
        node.throwIfInvalid();
        return chart;
    }

    private static Document drawn(Chart chart) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(chart.svg())));
    }

    private static List<Double> numbers(Document document, String element, String attribute) {
        return attributes(document, element, attribute).stream()
                .map(Double::valueOf)
                .toList();
    }

    private static List<String> attributes(Document document, String element, String attribute) {
        var found = document.getElementsByTagName(element);
        return IntStream.range(0, found.getLength())
                .mapToObj(index -> ((Element) found.item(index)).getAttribute(attribute))
                .toList();
    }
}
