package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.DefinedGateway;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client may not say in the head of a request it may not say behind its content either.
@Timeout(60)
final class RequestTrailersTest {
    private static final String CHUNKED =
            "POST / HTTP/1.1\r\nHost: a\r\nX-Sent: once\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n";
    private static final Policy WRITES_THE_HEAD = exchange -> {
        exchange.outgoing().headers().set("X-Consumer", "alice");
        exchange.outgoing().headers().remove("X-Internal");
        exchange.outgoing().headers().removeAll(name -> name.startsWith("X-Private-"));
        return Verdict.proceed();
    };

    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Consumer: mallory",
                "x-consumer: mallory",
                "X-Internal: yes",
                "X-Private-User: admin",
                "X-Original-URL: /admin",
                "X-Rewrite-URL: /admin",
                "X-Forwarded-Port: 1",
                "X-Client-IP: 10.0.0.1",
                "X_Consumer: mallory",
                "Proxy: http://evil.example",
                "X-HTTP-Method-Override: DELETE",
                "X-Sent: twice"
            })
    void what_policies_write_and_what_says_who_calls_does_not_pass(String claim) throws IOException {
        assertThat(trailers(claim + "\r\nX-Sum: 7")).isEqualTo("X-Sum: 7\r\n\r\n");
    }

    @Test
    void what_nobody_decides_by_passes() throws IOException {
        String trailers = trailers("X-Sum: 7\r\nX-Checksum: 8");

        assertThat(Http.only(trailers, "X-Sum")).isEqualTo("7");
        assertThat(Http.only(trailers, "X-Checksum")).isEqualTo("8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Internal-User", "x-internal-user", "X-INTERNAL-", "X-Exact"})
    void what_the_policy_headers_removes_by_name_or_prefix_does_not_pass(String name) throws IOException {
        try (var upstream = new RawUpstream();
                DefinedGateway gateway = DefinedGateway.start(data, """
                        {"id": "a", "match": {"path": "/"}, "upstream": {"targets": [{"url": "%s"}]},
                         "policies": [{"type": "headers", "request": {"remove": ["X-Internal-*", "X-Exact"]}}]}""".formatted(upstream.url()));
                RawConnection client = RawConnection.to(gateway.address())) {
            client.send(CHUNKED + name + ": admin\r\nX-Sum: 7\r\n\r\n");

            assertThat(behindTheLastChunk(upstream)).isEqualTo("X-Sum: 7\r\n\r\n");
        }
    }

    private static String behindTheLastChunk(RawUpstream upstream) throws IOException {
        RawConnection connection = upstream.accept();
        connection.readHead();
        assertThat(connection.readChunked()).isEqualTo("x");
        return connection.readHead();
    }

    /// What the upstream finds behind the last chunk.
    private static String trailers(String sent) throws IOException {
        try (Proxy proxy =
                Proxy.in(RequestThreadMode.IO).policies(WRITES_THE_HEAD).start()) {
            proxy.client().send(CHUNKED + sent + "\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String head = upstream.readHead();
            assertThat(Http.all(head, "X-Consumer")).containsExactly("alice");
            assertThat(upstream.readChunked()).isEqualTo("x");
            return upstream.readHead();
        }
    }
}
