package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BulkAnswerTest {
    private static final String CREATED = "{\"create\":{\"status\":201}}";

    private final Verdicts verdicts =
            new Verdicts(new DeadLetters(Path.of("none"), 1, InstantSource.system()), () -> 0);

    @Test
    void an_answer_that_speaks_of_every_record_settles_each() {
        String fine = "{\"errors\":false,\"items\":[" + CREATED + "," + CREATED + "]}";
        String spaced = "{ \"errors\" : false, \"items\" : [ { \"create\" : { \"status\" : 201 } }, " + CREATED + "]}";
        String mixed = "{\"errors\":true,\"items\":[" + CREATED
                + ",{\"create\":{\"status\":409,\"error\":{\"type\":\"conflict\",\"reason\":\"{there}\"}}}]}";

        for (String answer : new String[] {fine, spaced, mixed}) {
            assertThat(verdict(answer, 2)).as(answer).isInstanceOfSatisfying(Verdicts.Items.class, items -> {
                assertThat(items.answer().item(0).isIndexed()).isTrue();
                assertThat(items.answer().item(1).isIndexed()).isTrue();
                assertThat(items.answer().later()).isZero();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"fine\"",
                "",
                "<html>",
                "{\"errors\":false}",
                "{\"errors\":false,\"items\":[]}",
                "{\"errors\":false,\"items\":[" + CREATED + "]}",
                "{\"errors\":false,\"items\":[" + CREATED + "," + CREATED + "," + CREATED + "]}",
                "{\"errors\":true,\"items\":[" + CREATED + "]}"
            })
    void an_answer_that_does_not_settles_none(String answer) {
        assertThat(verdict(answer, 2)).isInstanceOf(Verdicts.Later.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"errors\":false,\"items\":[{\"create\":{}}]}",
                "{\"errors\":false,\"items\":[{\"index\":{\"status\":201}}]}",
                "{\"errors\":false,\"items\":[{\"create\":{\"status\":503}}]}",
                "{\"errors\":false,\"items\":[7]}"
            })
    void an_item_that_does_not_say_what_became_of_its_record_leaves_it_for_later(String answer) {
        assertThat(verdict(answer, 1))
                .isInstanceOfSatisfying(
                        Verdicts.Items.class,
                        items -> assertThat(items.answer().item(0).mayWorkLater())
                                .isTrue());
    }

    private Verdicts.Verdict verdict(String answer, int sent) {
        return verdicts.of(new ClusterReply.Answered(200, answer.getBytes(StandardCharsets.UTF_8)), sent);
    }
}
