package gateway.policies.cache;

import static gateway.policies.cache.CachedRoute.answer;
import static gateway.policies.cache.CachedRoute.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.json.InvalidConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Parameters that do not count.
final class CountedParametersTest {
    private final CachedRoute route = CachedRoute.with(", \"key\": {\"query\": {\"except\": [\"utm_*\", \"fbclid\"]}}")
            .counts("Cache-Control", "max-age=60");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a?utm_source=x&page=1|page=1",
                "/a?page=1&fbclid=x&utm_|page=1",
                "/a?%75tm_medium=x&&page=1&=x&|page=1",
                "/a?page=1&utm_x=1;page=2|page=1",
            })
    void excepted_ones_never_reach_the_upstream(String target, String sent) {
        route.get(target);

        assertThat(route.last().outgoing().query()).isEqualTo(sent);
        assertThat(text(route.get("/a?page=1"))).isEqualTo("answer 1");
    }

    @ParameterizedTest
    @CsvSource({"/a?page=2", "/a?page=1&Utm_source=x", "/a?page=1&utm=x", "/a?page=1&fbclid2=x", "/a?x=1&page=1"})
    void all_others_count(String target) {
        route.get("/a?page=1");

        assertThat(text(route.get(target))).isEqualTo("answer 2");
        assertThat(route.last().outgoing().query()).isEqualTo(target.substring("/a?".length()));
    }

    @Test
    void all_may_be_excepted() {
        CachedRoute none = CachedRoute.with(", \"key\": {\"query\": {\"except\": [\"*\"]}}")
                .counts("Cache-Control", "max-age=60");
        none.get("/a?x=1");

        assertThat(text(none.get("/a?y=2"))).isEqualTo("answer 1");
        assertThat(none.last().outgoing().query()).isEmpty();
    }

    @Test
    void a_location_is_forgotten_by_those_that_count() {
        route.get("/a?page=1");
        route.answers(_ -> answer(201, "", "Location", "/a?utm_x=9&page=1"));
        route.send(Exchanges.of("POST", "/b"));
        route.counts("Cache-Control", "max-age=60");

        assertThat(text(route.get("/a?page=1"))).isEqualTo("answer 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"except\": [\"u*m\"]}|/key/query/except/0: expected * at the end alone, got \"u*m\"",
                "{\"except\": \"utm\"}|/key/query/except: expected an array",
                "{\"but\": [\"utm\"]}|/key/query/but: unknown field",
                "\"page\"|/key/query: expected an array",
            })
    void what_makes_no_sense_is_refused(String query, String problem) {
        assertThatThrownBy(() -> CachedRoute.with(", \"key\": {\"query\": " + query + "}"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0" + problem);
    }
}
