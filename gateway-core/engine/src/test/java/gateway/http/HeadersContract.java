package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds for all headers, wherever they lie.
public abstract class HeadersContract {
    /// Empty ones.
    protected abstract Headers headers();

    @Test
    void finds_names_without_regard_to_case_and_keeps_values_in_order() {
        Headers headers = headers();
        headers.add("Set-Cookie", "a=1");
        headers.add("set-cookie", "b=2");

        assertThat(headers.all("SET-COOKIE")).containsExactly("a=1", "b=2");
        assertThat(headers.first("Set-cookie")).contains("a=1");
        assertThat(headers.contains("Cookie")).isFalse();
    }

    @Test
    void set_replaces_every_line_of_the_name() {
        Headers headers = headers();
        headers.add("A", "1");
        headers.add("B", "2");
        headers.add("a", "3");

        headers.set("A", "4");

        assertThat(lines(headers)).containsExactlyInAnyOrder("B: 2", "A: 4");
    }

    @Test
    void a_field_that_is_made_once_replaces_every_line_of_its_name() {
        var field = new HeaderField("A", "4");
        for (int request = 0; request < 2; request++) {
            Headers headers = headers();
            headers.add("A", "1");
            headers.add("B", "2");
            headers.add("A", "3");

            headers.set(field);

            assertThat(lines(headers)).containsExactlyInAnyOrder("B: 2", "A: 4");
        }
    }

    @Test
    void names_are_written_as_whoever_writes_them_spells_them() {
        Headers lower = headers();
        lower.set("x-of-a-policy", "1");
        Headers upper = headers();
        upper.add("X-OF-A-POLICY", "2");

        assertThat(lines(lower)).containsExactly("x-of-a-policy: 1");
        assertThat(lines(upper)).containsExactly("X-OF-A-POLICY: 2");
    }

    @Test
    void more_names_than_are_kept_at_hand_anywhere_are_told_apart() {
        Headers headers = headers();
        for (int i = 0; i < 1_000; i++) headers.add("X-" + i, Integer.toString(i));

        for (int i = 0; i < 1_000; i++) assertThat(headers.all("x-" + i)).containsExactly(Integer.toString(i));
    }

    @Test
    void what_was_removed_is_gone() {
        Headers headers = headers();
        headers.add("X-A", "1");
        headers.add("X-B", "2");
        headers.add("Accept", "3");

        headers.remove("x-a");
        headers.removeAll(name -> name.startsWith("X-B"));

        assertThat(lines(headers)).containsExactly("Accept: 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX: 1", "a\n", "\u0000", "\u007f", "snow \u2603"})
    void refuses_values_that_could_split_a_message(String value) {
        assertThatThrownBy(() -> headers().set("X", value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "\u00e4", "a\r", "\u2603"})
    void refuses_names_that_are_no_token_and_has_none_such(String name) {
        Headers headers = headers();

        assertThatThrownBy(() -> headers.add(name, "1")).isInstanceOf(IllegalArgumentException.class);

        assertThat(headers.first(name)).isEmpty();
        assertThat(headers.all(name)).isEmpty();
        assertThat(headers.contains(name)).isFalse();
    }

    private static List<String> lines(Headers headers) {
        var lines = new ArrayList<String>();
        headers.forEach((name, value) -> lines.add(name + ": " + value));
        return lines;
    }
}
