package gateway.config;

import static gateway.http.Gzip.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.pipeline.Pipeline;
import gateway.policy.PolicyType;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A verdict on every request, whatever its body is, whoever is away and however many come at once.
abstract class PolicyAnswersContract extends PolicyReadingContract {
    private static final int AT_ONCE = 64;

    @ParameterizedTest
    @MethodSource("types")
    void every_request_gets_an_answer_whatever_its_body_is(PolicyType type) {
        byte[] json = "{\"a\": [1, 2, {\"b\": \"c\"}]}".getBytes(StandardCharsets.UTF_8);
        for (Exchanges request : List.of(
                Exchanges.get("/orders/7?x=1"),
                Exchanges.of("OPTIONS", "/").with("Origin", "https://a").with("Access-Control-Request-Method", "PUT"),
                Exchanges.of("POST", "/").body("").with("Content-Type", "application/json"),
                Exchanges.of("POST", "/").body("{\"a\": ").with("Content-Type", "application/json"),
                Exchanges.of("PUT", "/").chunked("{\"a\": 1}").with("Content-Type", "application/json"),
                Exchanges.of("POST", "/").body("x".repeat(3 << 20)).with("Content-Type", "text/plain"),
                Exchanges.of("POST", "/").body(gzip(json)).with("Content-Encoding", "gzip"),
                Exchanges.of("POST", "/").body("no gzip at all").with("Content-Encoding", "gzip"),
                Exchanges.of("POST", "/").body("{}").with("Content-Encoding", "unheard-of"))) {
            assertThat(answer(type, services(type), request).status()).isBetween(200, 599);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void while_stores_are_away_every_request_gets_an_answer_still(PolicyType type) {
        var services = services(type);
        services.keys().goAway();
        services.limits().goAway();

        Response answer = answer(type, services, Exchanges.get("/").with("Authorization", "Bearer some-key"));

        assertThat(answer.status()).isNotEqualTo(500);
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatever_servers_answer_every_request_gets_an_answer_still(PolicyType type) {
        for (Function<CallRequest, CallAnswer> server : List.<Function<CallRequest, CallAnswer>>of(
                _ -> lie(200, ""),
                _ -> lie(200, "<html>"),
                _ -> lie(200, "{\"keys\": 1, \"active\": \"yes\", \"access_token\": []}"),
                _ -> lie(200, "[".repeat(100_000)),
                _ -> lie(302, ""),
                _ -> lie(500, "no"),
                _ -> lie(200, "x".repeat(32 << 20)),
                _ -> {
                    throw new DependencyException("the server", "timeout", "it took too long", null);
                })) {
            var services = services(type);
            services.calls().serveOthers(server);

            Response answer = answer(type, services, Exchanges.get("/").with("Authorization", "Bearer a.b.c"));

            assertThat(answer.status()).isBetween(200, 599).isNotEqualTo(500);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void many_requests_at_once_get_their_answers(PolicyType type) throws Exception {
        Pipeline pipeline = pipeline(type, services(type));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Response>>();
            for (int i = 0; i < AT_ONCE; i++) {
                answers.add(threads.submit(
                        () -> run(pipeline, Exchanges.of("POST", "/").body("{}"))));
            }
            for (Future<Response> each : answers)
                assertThat(each.get().status()).isNotEqualTo(500);
        }
    }

    private static CallAnswer lie(int status, String body) {
        return new CallAnswer(status, Headers.create(), Body.of(body.getBytes(StandardCharsets.UTF_8)));
    }
}
