package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.TargetDefinition;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// How a request goes to the upstream and its answer comes back.
@ParameterizedClass
@EnumSource(RequestThreadMode.class)
final class ForwardingTest {
    @Parameter
    RequestThreadMode mode;

    @Test
    void passes_a_request_on_and_its_answer_back() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            RawConnection client =
                    proxy.client().send("GET /a?b=c HTTP/1.1\r\nHost: api.example.com\r\nX-Mine: 1\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            String request = upstream.readHead();
            upstream.send("HTTP/1.1 201 Created\r\nContent-Length: 5\r\nX-Theirs: 2\r\n\r\nhello");
            String answer = client.readAnswer();

            assertThat(Http.start(request)).isEqualTo("GET /a?b=c HTTP/1.1");
            assertThat(Http.only(request, "X-Mine")).isEqualTo("1");
            assertThat("http://" + Http.only(request, "Host"))
                    .isEqualTo(proxy.upstream().url());
            assertThat(Http.start(answer)).isEqualTo("HTTP/1.1 201 Created");
            assertThat(Http.only(answer, "X-Theirs")).isEqualTo("2");
            assertThat(Http.body(answer)).isEqualTo("hello");
        }
    }

    @Test
    void keeps_the_connections_on_both_sides() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
            client.readAnswer();
            client.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
            String second = upstream.readHead();
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2");

            assertThat(Http.start(second)).isEqualTo("GET /2 HTTP/1.1");
            assertThat(Http.body(client.readAnswer())).isEqualTo("2");
        }
    }

    @Test
    void answers_pipelined_requests_in_order() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client()
                    .send(
                            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            for (int i = 1; i <= 3; i++) {
                assertThat(Http.start(upstream.readHead())).isEqualTo("GET /" + i + " HTTP/1.1");
                upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + i);
            }

            assertThat(Http.body(client.readAnswer())).isEqualTo("1");
            assertThat(Http.body(client.readAnswer())).isEqualTo("2");
            assertThat(Http.body(client.readAnswer())).isEqualTo("3");
        }
    }

    @Test
    void keeps_a_request_that_comes_while_another_is_under_way() throws IOException {
        try (Proxy proxy = Proxy.in(mode).ioThreads(1).start()) {
            RawConnection client = proxy.client().send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            RawConnection upstream = proxy.upstream().accept();
            upstream.readHead();
            client.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab");
            upstream.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1");
            assertThat(Http.body(client.readAnswer())).isEqualTo("1");
            client.send("c");

            assertThat(Http.start(upstream.readHead())).isEqualTo("POST /2 HTTP/1.1");
            assertThat(upstream.read(3)).isEqualTo("abc");
        }
    }

    @Test
    void forwards_the_path_byte_for_byte() throws IOException {
        try (Proxy proxy = Proxy.in(mode).start()) {
            proxy.client().send("GET /a%20b/%C3%A4;v=1/%7e?q=%2F&r=a+b&&x HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(Http.start(proxy.upstream().accept().readHead()))
                    .isEqualTo("GET /a%20b/%C3%A4;v=1/%7e?q=%2F&r=a+b&&x HTTP/1.1");
        }
    }

    @Test
    void strips_the_prefix_by_segments_and_puts_the_base_path_before() throws IOException {
        try (RawUpstream other = new RawUpstream();
                Proxy proxy = Proxy.in(mode)
                        .stripping("/ab/{id}")
                        .targets(other.url() + "/base/")
                        .start()) {
            proxy.client().send("GET /%61b/%37%37/rest%20of/it?x=1 HTTP/1.1\r\nHost: a\r\n\r\n");
            proxy.client().send("GET /ab/7 HTTP/1.1\r\nHost: a\r\n\r\n");

            List<String> starts = List.of(
                    Http.start(other.accept().readHead()),
                    Http.start(other.accept().readHead()));
            assertThat(starts).containsExactlyInAnyOrder("GET /base/rest%20of/it?x=1 HTTP/1.1", "GET /base/ HTTP/1.1");
        }
    }

    @Test
    void preserves_the_host_when_asked() throws IOException {
        try (Proxy proxy = Proxy.in(mode).preserveHost().start()) {
            proxy.client().send("GET / HTTP/1.1\r\nHost: Api.Example.com:8080\r\n\r\n");

            assertThat(Http.only(proxy.upstream().accept().readHead(), "Host")).isEqualTo("Api.Example.com:8080");
        }
    }

    @Test
    void takes_targets_in_turn_by_weight() throws IOException {
        try (RawUpstream heavy = new RawUpstream();
                RawUpstream light = new RawUpstream();
                Proxy proxy = Proxy.in(mode)
                        .targets(List.of(
                                new TargetDefinition(URI.create(heavy.url()), 20),
                                new TargetDefinition(URI.create(light.url()), 10)))
                        .start()) {
            for (RawUpstream next : List.of(heavy, light, heavy, heavy, light, heavy)) {
                RawConnection client = proxy.client().send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                RawConnection upstream = next.accept();
                upstream.readHead();
                upstream.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");

                assertThat(Http.start(client.readHead())).isEqualTo("HTTP/1.1 204 No Content");
            }
        }
    }

    @Test
    void answers_404_and_400_itself() throws IOException {
        try (Proxy proxy = Proxy.in(mode).stripping("/orders").start()) {
            RawConnection client = proxy.client().send("GET /ordersx HTTP/1.1\r\nHost: a\r\n\r\n");
            String unknown = client.readAnswer();
            String refused = client.send("GET /orders/..%2fadmin HTTP/1.1\r\nHost: a\r\n\r\n")
                    .readAnswer();

            assertThat(Http.start(unknown)).isEqualTo("HTTP/1.1 404 Not Found");
            assertThat(Http.body(unknown)).contains("\"requestId\":\"" + Http.only(unknown, "X-Request-Id") + "\"");
            assertThat(Http.start(refused)).isEqualTo("HTTP/1.1 400 Bad Request");
        }
    }
}
