package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CacheTagsTest {
    private final Headers answer = Headers.create();

    @Test
    void tags_are_apart_by_commas_or_spaces_on_any_number_of_lines() {
        answer.add("Cache-Tag", " a, b c\t,,d");
        answer.add("cache-tag", "e");

        assertThat(CacheTags.of(answer, "Cache-Tag").orElseThrow()).containsExactly("a", "b", "c", "d", "e");
        assertThat(CacheTags.of(answer, "Surrogate-Key").orElseThrow()).isEmpty();
    }

    @Test
    void more_or_longer_ones_than_are_kept_are_told_apart_from_none() {
        answer.add("Cache-Tag", numbered(64));
        assertThat(CacheTags.of(answer, "Cache-Tag").orElseThrow()).hasSize(64);

        answer.set("Cache-Tag", numbered(65));
        assertThat(CacheTags.of(answer, "Cache-Tag")).isEmpty();

        answer.set("Cache-Tag", "x".repeat(129));
        assertThat(CacheTags.of(answer, "Cache-Tag")).isEmpty();
    }

    private static String numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> "t" + i).collect(Collectors.joining(","));
    }
}
