package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages that say two content types, over sockets: each reader takes another one (decision 249).
final class TypesSaidTwiceTest {
    private static final String CONDITION = """
            {"type": "headers", "when": {"body": {"/kind": "bulk"}}, "request": {"set": {"X-A": "1"}}}""";
    private static final String TAG = """
            {"type": "tag", "set": {"var.kind": "{request.body:/kind}"}}""";
    private static final String SCRIPT = """
            {"type": "script", "on": "both", "body": "json", "source": "if (false) fail('never');"}""";
    private static final String PART = """
            {"type": "jose", "request": [{"verify": {"part": "/pay", "optional": true, "algorithms": ["HS256"], "secret": {"env": "GATEWAY_SECRET_BOTH"}}}],
             "response": [{"verify": {"part": "/pay", "optional": true, "algorithms": ["HS256"], "secret": {"env": "GATEWAY_SECRET_BOTH"}}}]}""";
    private static final String BODY = """
            {"type": "jose", "request": [{"verify": {"optional": true, "algorithms": ["HS256"], "secret": {"env": "GATEWAY_SECRET_BOTH"}}}],
             "response": [{"verify": {"optional": true, "algorithms": ["HS256"], "secret": {"env": "GATEWAY_SECRET_BOTH"}}}]}""";
    private static final String TEXT_FIRST = "Content-Type: text/plain\nContent-Type: application/json";
    private static final String JSON_FIRST = "Content-Type: application/json\nContent-Type: text/plain";
    private static final String IN_ONE_LINE = "Content-Type: text/plain, application/json";
    private static final byte[] BULK = "{\"kind\": \"bulk\"}".getBytes(UTF_8);

    @TempDir
    private Path data;

    private MessageGateway start(String policies) {
        return MessageGateway.start(
                data, policies, Map.of("GATEWAY_SECRET_BOTH", "a secret of both, as long as it has to be"));
    }

    @ParameterizedTest
    @ValueSource(strings = {CONDITION, TAG, SCRIPT, PART, BODY})
    void such_a_request_is_refused_where_one_of_the_two_is_looked_at(String policy) {
        try (var gateway = start(policy)) {
            for (String fields : new String[] {TEXT_FIRST, JSON_FIRST, IN_ONE_LINE}) {
                assertThat(gateway.post(fields, BULK))
                        .as(fields)
                        .startsWith("HTTP/1.1 415 ")
                        .contains("unsupported-media-type");
            }
            assertThat(gateway.arrived()).isEmpty();

            assertThat(status(gateway.post("Content-Type: application/json", BULK)))
                    .isEqualTo(200);
            assertThat(status(gateway.post(TEXT_FIRST, new byte[0]))).isEqualTo(200);
            assertThat(gateway.arrived()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SCRIPT, PART, BODY})
    void such_an_answer_is_refused(String policy) throws IOException {
        try (var gateway = start(policy)) {
            for (String fields : new String[] {TEXT_FIRST, JSON_FIRST, IN_ONE_LINE}) {
                gateway.answers(fields, BULK);
                String answer =
                        RawClient.exchange(gateway.port(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(answer).as(fields).startsWith("HTTP/1.1 502 ").doesNotContain("bulk");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CONDITION, TAG})
    void two_types_of_which_none_is_looked_at_pass_as_one_does(String policy) {
        try (var gateway = start(policy)) {
            assertThat(status(gateway.post("Content-Type: text/plain\nContent-Type: text/html", BULK)))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).hasSize(1);
        }
    }

    /// The upstream would get in UTF-8 what it reads in the charset that is said.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: application/json; charset=Shift_JIS",
                "Content-Type: application/json; charset=\"utf-16\"",
                TEXT_FIRST,
                JSON_FIRST
            })
    void what_others_read_otherwise_makes_no_key_of_the_cache(String fields) {
        try (var gateway = start("{\"type\": \"cache\", \"postKey\": [\"\"]}")) {
            gateway.answers("Cache-Control: max-age=60", "x".getBytes(UTF_8));

            String first = gateway.post(fields, BULK);
            String second = gateway.post(fields, BULK);

            assertThat(first).contains("fwd=bypass");
            assertThat(second).contains("fwd=bypass");
            assertThat(gateway.arrived()).containsExactly(new String(BULK, UTF_8), new String(BULK, UTF_8));
        }
    }
}
