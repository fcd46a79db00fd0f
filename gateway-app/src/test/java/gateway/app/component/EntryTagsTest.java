package gateway.app.component;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.service.ManualClock;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What is in a group: forgotten by tag, and counted. Asked of a member over sockets.
final class EntryTagsTest {
    @TempDir
    private static Path data;

    private static final ManualClock clock = ManualClock.create();
    private static OwnComponent component;
    private static int groups;

    private final String group = "/cache/tags-" + ++groups;

    @BeforeAll
    static void start() {
        component = OwnComponent.start(data, clock);
    }

    @AfterAll
    static void stop() {
        component.close();
    }

    @Test
    void those_with_the_tag_go_and_no_others() {
        put("a", "red");
        put("b", "red, blue");
        put("c", "blue");
        put("d", "re");
        put("e");
        String other = "/cache/elsewhere-" + groups + "/a";
        component.put(other, "other", "X-TTL", "3600", "Cache-Tag", "red");

        assertThat(component.delete(group + "?tag=red").statusCode()).isEqualTo(204);

        assertThat(status("a")).isEqualTo(404);
        assertThat(status("b")).isEqualTo(404);
        assertThat(status("c")).isEqualTo(200);
        assertThat(status("d")).isEqualTo(200);
        assertThat(status("e")).isEqualTo(200);
        assertThat(component.get(other).statusCode()).isEqualTo(200);
    }

    @Test
    void what_is_put_with_the_tag_afterwards_is_found_until_it_is_forgotten_again() {
        put("a", "red");
        component.delete(group + "?tag=red");

        put("a", "red");
        assertThat(status("a")).isEqualTo(200);
        component.delete(group + "?tag=red");

        assertThat(status("a")).isEqualTo(404);
    }

    @Test
    void an_entry_that_is_put_without_the_tag_has_it_no_longer() {
        put("a", "red");
        put("a");

        component.delete(group + "?tag=red");

        assertThat(status("a")).isEqualTo(200);
    }

    @Test
    void a_tag_is_any_visible_text_percent_encoded_in_a_query() {
        put("a", "/items/7?x=@1&b=%41+");
        put("b", "/items/7?x=@1&b=A+");

        assertThat(component
                        .delete(group + "?tag=%2Fitems%2F7%3Fx=@1%26b%3D%2541%2B")
                        .statusCode())
                .isEqualTo(204);

        assertThat(status("a")).isEqualTo(404);
        assertThat(status("b")).isEqualTo(200);
    }

    @Test
    void a_tag_that_nothing_has_forgets_nothing() {
        put("a", "red");

        assertThat(component.delete(group + "?tag=green").statusCode()).isEqualTo(204);

        assertThat(status("a")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?tag=",
                "?tag",
                "?tag=a&tag=b",
                "?tag=a&x=1",
                "?Tag=a",
                "?tags=a",
                "?tag=a%20b",
                "?tag=a,b",
                "?tag=%C3%A9"
            })
    void other_parameters_are_refused_and_nothing_is_forgotten(String query) {
        put("a", "a b");

        assertThat(component.delete(group + query).statusCode()).isEqualTo(400);

        assertThat(status("a")).isEqualTo(200);
    }

    @Test
    void more_and_longer_tags_than_are_kept_are_refused() {
        String sixteen = IntStream.range(0, 16).mapToObj(i -> "t" + i).collect(Collectors.joining(","));

        assertThat(offered(sixteen)).isEqualTo(204);
        component.delete(group + "?tag=t15");
        assertThat(status("k")).isEqualTo(404);
        assertThat(offered(sixteen + ",t1")).isEqualTo(204);
        assertThat(offered(sixteen + ",t16")).isEqualTo(400);
        assertThat(offered("x".repeat(128))).isEqualTo(204);
        assertThat(offered("x".repeat(129))).isEqualTo(400);
    }

    @Test
    void a_group_tells_its_size_its_hits_and_its_bytes() {
        assertThat(count()).isEqualTo(count(0, 0, 0));
        component.put(group + "/a", "four", "X-TTL", "3600", "Entry-Field", "value", "Cache-Tag", "red");
        component.put(group + "/b", "sixsix", "X-TTL", "3600");
        component.put("/cache/elsewhere-" + groups + "/a", "other", "X-TTL", "3600");

        for (int i = 0; i < 3; i++) component.get(group + "/a");
        component.send("HEAD", group + "/b", new byte[0]);
        component.get(group + "/none");

        assertThat(count()).isEqualTo(count(2, 4, 10));
        HttpResponse<byte[]> answer = component.get(group);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        HttpResponse<byte[]> head = component.send("HEAD", group, new byte[0]);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void a_write_is_no_hit() {
        put("a");
        component.get(group + "/a");
        put("a");
        put("a", "red");

        assertThat(count()).isEqualTo(count(1, 1, 4));
    }

    @Test
    void what_is_found_no_longer_is_not_counted() {
        component.put(group + "/ended", "x", "X-TTL", "60");
        put("tagged", "red");
        put("deleted");
        put("kept", "blue");

        clock.advance(Duration.ofSeconds(60));
        component.delete(group + "?tag=red");
        component.delete(group + "/deleted");
        assertThat(count()).isEqualTo(count(1, 0, 4));
        component.delete(group);

        assertThat(count()).isEqualTo(count(0, 0, 0));
    }

    private JsonNode count() {
        HttpResponse<byte[]> answer = component.get(group);
        assertThat(answer.statusCode()).isEqualTo(200);
        return Json.parse(new String(answer.body(), UTF_8));
    }

    private static JsonNode count(int size, int hits, int bytes) {
        return Json.parse("{\"size\": " + size + ", \"hits\": " + hits + ", \"bytes\": " + bytes + "}");
    }

    private int status(String key) {
        return component.get(group + '/' + key).statusCode();
    }

    private int offered(String tags) {
        return component
                .put(group + "/k", "text", "X-TTL", "3600", "Cache-Tag", tags)
                .statusCode();
    }

    private void put(String key, String tags) {
        assertThat(component
                        .put(group + '/' + key, "text", "X-TTL", "3600", "Cache-Tag", tags)
                        .statusCode())
                .isEqualTo(204);
    }

    private void put(String key) {
        assertThat(component.put(group + '/' + key, "text", "X-TTL", "3600").statusCode())
                .isEqualTo(204);
    }
}
