package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Problem;
import gateway.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GrpcAnswerTest {
    @Test
    void maps_statuses_as_clients_do_but_where_the_gateway_knows_better() {
        Map.of(400, 13, 401, 16, 403, 7, 404, 12, 413, 8, 429, 8, 500, 13, 502, 14, 503, 14, 504, 14)
                .forEach((status, code) ->
                        assertThat(GrpcAnswer.code(status)).as("%d", status).isEqualTo(code));
        assertThat(GrpcAnswer.code(418)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"detail\": 1e99999999999}", "{\"detail\": ", "[1, 2]", "{\"detail\": \"x\"} {}"})
    void the_status_is_told_in_words_where_a_problem_cannot_be_read(String problem) {
        assertThat(GrpcAnswer.message(problem(problem))).isEqualTo("Not Found");
    }

    @Test
    void the_detail_of_a_problem_is_told_unless_it_is_a_large_one() {
        assertThat(GrpcAnswer.message(problem("{\"detail\": \"gone\"}"))).isEqualTo("gone");
        assertThat(GrpcAnswer.message(problem("{\"detail\": \"" + "x".repeat(64 * 1024) + "\"}")))
                .isEqualTo("Not Found");
    }

    private static Response problem(String text) {
        return Response.of(404, Problem.CONTENT_TYPE, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void messages_are_encoded_octet_by_octet() {
        assertThat(GrpcAnswer.encoded("plain text: 100")).isEqualTo("plain text: 100");
        assertThat(GrpcAnswer.encoded("100 % é\n\"€\"")).isEqualTo("100 %25 %C3%A9%0A\"%E2%82%AC\"");
    }
}
