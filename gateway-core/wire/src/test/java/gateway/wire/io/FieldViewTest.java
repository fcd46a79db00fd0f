package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.HeaderField;
import io.undertow.util.HeaderMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class FieldViewTest {
    @Test
    void a_field_that_is_made_once_replaces_every_line_of_its_name() {
        var field = new HeaderField("A", "4");
        for (int request = 0; request < 2; request++) {
            var headers = new FieldView(new HeaderMap());
            headers.add("a", "1");
            headers.add("B", "2");
            headers.add("A", "3");

            headers.set(field);

            assertThat(lines(headers)).containsExactlyInAnyOrder("A: 4", "B: 2");
        }
    }

    private static List<String> lines(FieldView headers) {
        var lines = new ArrayList<String>();
        headers.forEach((name, value) -> lines.add(name.toUpperCase(Locale.ROOT) + ": " + value));
        return lines;
    }
}
