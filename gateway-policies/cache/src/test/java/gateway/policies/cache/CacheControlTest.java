package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CacheControlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60|60",
                "  MAX-AGE = \"60\" |60",
                "foo, bar=\"a, max-age=1\", max-age=60|60",
                "max-age=060|60",
                "max-age=99999999999999|2147483647",
                "max-age=2147483648|2147483647",
                "max-age=60, max-age=30|30",
                "max-age=60, max-age=x|0",
                "max-age|0",
                "max-age=|0",
                "max-age=-1|0",
                "max-age=1.5|0",
                "max-age=1 0|0",
                "max-age=\"60|0",
                "max-age, max-age=5|0",
                "max-age=5, max-age|0",
            })
    void a_lifetime_that_cannot_be_read_is_none_and_of_two_the_shorter_counts(String line, long seconds) {
        assertThat(CacheControl.of(List.of(line)).seconds(Directive.MAX_AGE)).hasValue(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", " , ,", "x-max-age=60", "foo=\"max-age=60\"", "foo=\"a\\\", max-age=60\""})
    void what_only_looks_like_a_directive_is_none(String line) {
        assertThat(CacheControl.of(List.of(line)).seconds(Directive.MAX_AGE)).isEqualTo(OptionalLong.empty());
    }

    @Test
    void what_nothing_is_said_of_is_not_there() {
        CacheControl control = CacheControl.of(List.of("stale-while-revalidate=7, max-stale=0, no-cache"));

        assertThat(control.seconds(Directive.STALE_WHILE_REVALIDATE)).hasValue(7);
        assertThat(control.seconds(Directive.MAX_STALE)).hasValue(0);
        assertThat(control.isBare(Directive.MAX_STALE)).isFalse();
        for (Directive each : List.of(Directive.MAX_AGE, Directive.S_MAXAGE, Directive.STALE_IF_ERROR))
            assertThat(control.seconds(each)).isEmpty();
        assertThat(control).hasToString("[stale-while-revalidate=7, max-stale=0, no-cache]");
    }

    @Test
    void each_directive_has_a_place_of_its_own() {
        assertThat(Directive.values()).extracting(Directive::place).doesNotHaveDuplicates();
    }

    @Test
    void lines_are_read_together() {
        CacheControl control = CacheControl.of(List.of("max-age=60, no-store", "PRIVATE=\"x-a\""));

        assertThat(control.has(Directive.NO_STORE)).isTrue();
        assertThat(control.has(Directive.PRIVATE)).isTrue();
        assertThat(control.isBare(Directive.NO_STORE)).isTrue();
        assertThat(control.isBare(Directive.PRIVATE)).isFalse();
    }

    @Test
    void the_field_for_caches_like_this_stands_for_the_other_unless_it_says_nothing() {
        Headers answer = Headers.create();
        answer.add("Cache-Control", "no-store");
        answer.add("CDN-Cache-Control", ",");
        assertThat(CacheControl.ofAnswer(answer).has(Directive.NO_STORE)).isTrue();

        answer.set("CDN-Cache-Control", "max-age=60");

        assertThat(CacheControl.ofAnswer(answer).has(Directive.NO_STORE)).isFalse();
    }

    @Test
    void pragma_counts_in_requests_that_say_nothing_else() {
        Headers request = Headers.create();
        request.add("Pragma", "no-cache");
        assertThat(CacheControl.ofRequest(request).has(Directive.NO_CACHE)).isTrue();

        request.add("Cache-Control", "max-age=60");

        assertThat(CacheControl.ofRequest(request).has(Directive.NO_CACHE)).isFalse();
    }
}
