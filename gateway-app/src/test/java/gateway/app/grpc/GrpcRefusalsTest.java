package gateway.app.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a client of grpc-java sees when the gateway itself answers.
final class GrpcRefusalsTest {
    @TempDir
    private Path folder;

    private GrpcGateway gateway;

    @BeforeEach
    void start() {
        gateway = GrpcGateway.start(folder, Map.of());
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void a_call_that_no_api_serves_is_unimplemented() {
        StatusRuntimeException refused = refused(gateway.plain());

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat(refused.getStatus().getDescription()).isEqualTo("No API serves this path");
        assertThat(trailer(refused, "x-request-id")).isPresent();
        assertThat(trailer(refused, "content-type")).contains("application/grpc");
    }

    @Test
    void a_call_without_a_key_is_unauthenticated_and_told_how_to_show_one() throws Exception {
        define("{\"type\": \"key-auth\", \"header\": \"X-Api-Key\"}");

        for (Channel channel : new Channel[] {gateway.plain(), gateway.secure()}) {
            StatusRuntimeException refused = refused(channel);
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(refused.getStatus().getDescription()).isNotBlank();
            assertThat(trailer(refused, "www-authenticate")).isPresent();
        }
    }

    @Test
    void a_method_that_the_key_does_not_open_is_denied() throws Exception {
        define("{\"type\": \"key-auth\", \"header\": \"X-Api-Key\"}");
        String secret = gateway.admin()
                .call(
                        "POST",
                        "/keys",
                        "{\"id\": \"alice\", \"apis\": {\"echo\": {\"paths\": [{\"path\": \"/Chat\"}]}}}")
                .get("secret")
                .stringValue();

        Status status =
                refused(GrpcGateway.with(gateway.plain(), "x-api-key", secret)).getStatus();

        assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void a_spent_limit_is_an_exhausted_resource_and_says_when_to_come_back() throws Exception {
        define("{\"type\": \"rate-limit\", \"requests\": 1, \"per\": \"1h\", \"by\": \"ip\"}");
        Channel channel = gateway.plain();
        refused(channel);

        StatusRuntimeException refused = refused(channel);

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(trailer(refused, "retry-after")).isPresent();
        assertThat(trailer(refused, "x-ratelimit-remaining")).contains("0");
        assertThat(trailer(refused, "ratelimit")).isPresent();
    }

    @Test
    void a_server_that_is_away_is_unavailable() throws Exception {
        define("");

        Status status = refused(gateway.secure()).getStatus();

        assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status.getDescription()).isEqualTo("The upstream refused the connection");
    }

    @Test
    void the_answer_is_one_head_with_status_200_and_is_recorded_with_its_code() throws Exception {
        try (HttpClient client = gateway.https()) {
            HttpResponse<String> answer = post(client, "application/grpc+proto");

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.headers().firstValue("content-type")).contains("application/grpc");
            assertThat(answer.headers().firstValue("grpc-status")).contains("12");
        }
        gateway.close();
        assertThat(gateway.records()).singleElement().satisfies(record -> {
            assertThat(record.at("/http/response/status_code").asInt()).isEqualTo(200);
            assertThat(record.at("/gateway/grpc_status").asInt()).isEqualTo(12);
        });
    }

    @Test
    void an_api_that_tells_errors_its_own_way_leaves_calls_their_status() throws Exception {
        gateway.admin().call("PUT", "/apis/echo", """
                {"match": {"path": "/test.Echo"}, "policies": [{"type": "key-auth"}],
                 "errors": [{"form": "html"}], "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]}}""");

        StatusRuntimeException refused = refused(gateway.secure());

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(refused.getStatus().getDescription()).isNotBlank().doesNotContain("<");
        assertThat(trailer(refused, "content-type")).contains("application/grpc");
    }

    @Test
    void who_does_not_speak_grpc_gets_a_problem_as_ever() throws Exception {
        try (HttpClient client = gateway.https()) {
            for (String type : new String[] {"application/json", "application/grpc-web", "application/grpcx"}) {
                HttpResponse<String> answer = post(client, type);

                assertThat(answer.statusCode()).as(type).isEqualTo(404);
                assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
                assertThat(answer.headers().firstValue("grpc-status")).isEmpty();
            }
        }
        gateway.close();
        assertThat(gateway.records())
                .hasSize(3)
                .allSatisfy(
                        record -> assertThat(record.at("/gateway/grpc_status").isMissingNode())
                                .isTrue());
    }

    private HttpResponse<String> post(HttpClient client, String type) throws Exception {
        var request = HttpRequest.newBuilder(gateway.secureUri("/test.Echo/Unary"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(new byte[5]))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /// An API whose upstream nobody serves.
    private void define(String policies) throws Exception {
        gateway.define("echo", "/test.Echo", policies, "", "http://127.0.0.1:1");
    }

    private static StatusRuntimeException refused(Channel channel) {
        var refused = new StatusRuntimeException[1];
        assertThatThrownBy(() -> GrpcGateway.call(channel, Echo.UNARY, "hello"))
                .isInstanceOfSatisfying(StatusRuntimeException.class, e -> refused[0] = e);
        return refused[0];
    }

    private static Optional<String> trailer(StatusRuntimeException refused, String name) {
        Metadata trailers = refused.getTrailers();
        return trailers == null
                ? Optional.empty()
                : Optional.ofNullable(trailers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    }
}
