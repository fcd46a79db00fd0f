package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class GrpcAnswerTest {
    @Test
    void maps_statuses_as_clients_do_but_where_the_gateway_knows_better() {
        Map.of(400, 13, 401, 16, 403, 7, 404, 12, 413, 8, 429, 8, 500, 13, 502, 14, 503, 14, 504, 14)
                .forEach((status, code) ->
                        assertThat(GrpcAnswer.code(status)).as("%d", status).isEqualTo(code));
        assertThat(GrpcAnswer.code(418)).isEqualTo(2);
    }

    @Test
    void messages_are_encoded_octet_by_octet() {
        assertThat(GrpcAnswer.encoded("plain text: 100")).isEqualTo("plain text: 100");
        assertThat(GrpcAnswer.encoded("100 % é\n\"€\"")).isEqualTo("100 %25 %C3%A9%0A\"%E2%82%AC\"");
    }
}
