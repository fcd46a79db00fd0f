package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderListTest {
    @Test
    void finds_names_without_regard_to_case_and_keeps_values_in_order() {
        Headers headers = Headers.create();
        headers.add("Set-Cookie", "a=1");
        headers.add("set-cookie", "b=2");

        assertThat(headers.all("SET-COOKIE")).containsExactly("a=1", "b=2");
        assertThat(headers.first("Set-cookie")).contains("a=1");
        assertThat(headers.contains("Cookie")).isFalse();
    }

    @Test
    void set_replaces_every_line_of_the_name() {
        Headers headers = Headers.create();
        headers.add("A", "1");
        headers.add("B", "2");
        headers.add("a", "3");

        headers.set("A", "4");

        assertThat(headers).hasToString("[B, 2, A, 4]");
    }

    @Test
    void a_field_that_is_made_once_replaces_every_line_of_its_name() {
        var field = new HeaderField("A", "4");
        for (int request = 0; request < 2; request++) {
            Headers headers = Headers.ofLines(List.of("A", "1", "B", "2", "a", "3"));

            headers.set(field);

            assertThat(headers).hasToString("[B, 2, A, 4]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX: 1", "a\n", "\u0000", "\u007f", "snow \u2603"})
    void refuses_values_that_could_split_a_message(String value) {
        assertThatThrownBy(() -> Headers.create().set("X", value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "\u00e4", "a\r"})
    void refuses_names_that_are_no_token(String name) {
        assertThatThrownBy(() -> Headers.create().add(name, "1")).isInstanceOf(IllegalArgumentException.class);
    }
}
