package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryTest {
    @Test
    void gives_the_first_value_decoded() {
        assertThat(Query.first("a=1&v=x%20y&v=2", "v")).contains("x y");
        assertThat(Query.first("%76=1", "v")).contains("1");
        assertThat(Query.first("v", "v")).contains("");
        assertThat(Query.first("vv=1&a=v=2", "v")).isEmpty();
        assertThat(Query.first("", "v")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "v=1, ''",
        "a=%2f&v=1&b=+x, a=%2f&b=+x",
        "v=1&a&&b=, a&&b=",
        "%76=1&a=%, a=%",
        "v&a=1&v=2, a=1",
    })
    void removes_a_parameter_and_leaves_the_rest_byte_for_byte(String query, String rest) {
        assertThat(Query.without(query, "v")).isEqualTo(rest);
    }

    @ParameterizedTest
    @CsvSource({
        "a=1&v=2&%61=%2f, a=1&%61=%2f",
        "a&&=x&b&, a&b",
        "a&&, a",
        "v, ''",
    })
    void keeps_parameters_by_their_names_and_a_second_time_changes_nothing(String query, String rest) {
        String kept = Query.keeping(query, name -> !name.equals("v"));

        assertThat(kept).isEqualTo(rest);
        assertThat(Query.keeping(kept, name -> !name.equals("v"))).isEqualTo(rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=1", "%00", "a=%2F%fF", "%25zz", "%25%25", "é=%41"})
    void every_percent_of_a_sound_query_begins_an_escape(String query) {
        assertThat(Query.isWellEscaped(query)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "a=%", "%0", "%2&b", "%zz", "%0g", "%g0", "%%20", "%20%", "%u0041", "%4\u0661"})
    void a_percent_that_begins_none_is_seen_wherever_it_stands(String query) {
        assertThat(Query.isWellEscaped(query)).isFalse();
    }

    @Test
    void finds_each_parameter_of_a_name_in_turn() {
        String query = "a=1&v=1&%76=2";

        assertThat(Query.find(query, "v", 0)).isEqualTo(4);
        assertThat(Query.end(query, 4)).isEqualTo(7);
        assertThat(Query.find(query, "v", 8)).isEqualTo(8);
        assertThat(Query.find(query, "v", query.length() + 1)).isEqualTo(-1);
    }
}
