package gateway.app.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Outcome;
import gateway.http.Response;
import gateway.net.IpRanges;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.wire.http1.Attack;
import gateway.wire.tls.TlsFilesException;
import gateway.wire.tls.TlsSettings;
import gateway.wire.tls.TlsSettings.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each test with each engine.
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
final class TlsListenerTest {
    private static final String HOST = "Host: a.example\r\n";
    private static final String GET = "GET /x HTTP/1.1\r\n" + HOST + "\r\n";
    private static final String LAST = "GET /x HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
    private static SecureGateway gateway;

    private final Engine engine;

    TlsListenerTest(Engine engine) {
        this.engine = engine;
    }

    @BeforeParameterizedClassInvocation
    static void start(Engine engine) throws IOException {
        gateway = SecureGateway.by(engine);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        gateway.close();
    }

    @BeforeEach
    void forget() {
        gateway.upstream.forget();
    }

    static List<Attack> attacks() {
        return Attack.all();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void serves_over_each_version_and_tells_the_upstream_that_it_was_https(String version) throws IOException {
        SSLSocket client = gateway.socket();
        client.setEnabledProtocols(new String[] {version});

        assertThat(SecureGateway.exchange(client, GET + LAST)).containsPattern("(?s)HTTP/1.1 200 .*HTTP/1.1 200 ");
        assertThat(client.getSession().getProtocol()).isEqualTo(version);
        assertThat(gateway.upstream.requests)
                .hasSize(2)
                .allSatisfy(
                        request -> assertThat(request.all("X-Forwarded-Proto")).containsExactly("https"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void a_client_that_leaves_is_noticed_while_its_answer_is_awaited(String version) throws Exception {
        var outcomes = new LinkedBlockingQueue<Outcome>();
        Policy noting = exchange -> Verdict.proceed(new Followup() {
            @Override
            public void onEnd(Outcome outcome) {
                outcomes.add(outcome);
            }
        });
        try (var upstream = new RawUpstream();
                var other = new SecureGateway(
                        (_, usual) -> SecureGateway.by(engine, usual),
                        same -> same,
                        IpRanges.NONE,
                        upstream.url(),
                        noting)) {
            SSLSocket client = other.socket();
            client.setEnabledProtocols(new String[] {version});
            client.getOutputStream().write(GET.getBytes(ISO_8859_1));
            upstream.accept().readHead();
            client.close();

            Outcome outcome = outcomes.poll(10, TimeUnit.SECONDS);
            assertThat(outcome).isNotNull();
            assertThat(outcome.ending()).isEqualTo(Outcome.Ending.CLIENT_GONE);
        }
    }

    @Test
    void a_large_upload_arrives_whole() throws IOException {
        String body = "0123456789abcdef".repeat(60_000);

        String answer = gateway.exchange("POST /echo HTTP/1.1\r\n" + HOST + "Connection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(gateway.upstream.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.body()).isEqualTo(body));
    }

    @Test
    void a_large_answer_to_a_client_that_waits_before_it_reads_comes_whole() throws IOException {
        byte[] content = "0123456789abcdef".repeat(500_000).getBytes(ISO_8859_1);
        SecureGateway large = SecureGateway.by(
                engine, exchange -> Verdict.stop(Response.of(200, "application/octet-stream", content)));
        try (large) {
            SSLSocket client = large.socket();
            var in = new RawConnection(client).send(GET);
            String head = in.readHead(); // by now the gateway has filled what the sockets hold
            assertThat(in.read(Http.contentLength(head)).getBytes(ISO_8859_1)).isEqualTo(content);
            assertThat(in.send(LAST).readHead()).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void what_is_not_strict_http_is_refused_over_tls_too(Attack attack) throws IOException {
        String answer = gateway.exchange(attack.bytes());

        assertThat(answer)
                .startsWith("HTTP/1.1 " + attack.refusal().status() + " ")
                .contains(attack.refusal().detail())
                .containsOnlyOnce("HTTP/1.1 ");
        assertThat(gateway.upstream.bytes).hasValue(0);
    }

    @Test
    void an_attack_behind_a_good_request_octet_by_octet_is_refused() throws IOException {
        SSLSocket client = gateway.socket();
        for (byte octet : (GET + "GET / HTTP/1.1\r\n" + HOST
                        + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n")
                .getBytes(ISO_8859_1)) {
            client.getOutputStream().write(octet);
        }

        assertThat(SecureGateway.exchange(client, "")).containsPattern("(?s)HTTP/1.1 200 .*HTTP/1.1 400 ");
        assertThat(gateway.upstream.requests).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.1", "TLSv1"})
    void older_versions_are_not_spoken(String version) throws IOException {
        SSLSocket client = gateway.socket();
        assertThatThrownBy(() -> {
                    client.setEnabledProtocols(new String[] {version});
                    client.startHandshake();
                })
                .isInstanceOf(SSLException.class);
    }

    @Test
    void ciphers_without_forward_secrecy_are_not_spoken() throws IOException {
        SSLSocket client = gateway.socket();
        client.setEnabledProtocols(new String[] {"TLSv1.2"});
        client.setEnabledCipherSuites(new String[] {"TLS_RSA_WITH_AES_128_GCM_SHA256"});

        assertThatThrownBy(client::startHandshake).isInstanceOf(SSLException.class);
    }

    @Test
    void plain_http_on_the_tls_port_is_closed_and_counted() throws IOException {
        SecureGateway own = SecureGateway.by(engine);
        try (own;
                var client = new Socket(InetAddress.getLoopbackAddress(), own.port())) {
            client.setSoTimeout(10_000);
            client.getOutputStream().write(GET.getBytes(ISO_8859_1));

            assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
                    .doesNotContain("HTTP");
            assertThat(own.dataPlane().failedHandshakes()).isEqualTo(1);
        }
    }

    @Test
    void a_handshake_that_does_not_get_on_is_closed_on_its_deadline() throws IOException {
        var impatient = new SecureGateway(
                (any, usual) -> SecureGateway.by(engine, usual),
                plane -> plane.withTimeouts(Duration.ofMillis(200), Duration.ofSeconds(60), Duration.ofSeconds(30)));
        try (impatient;
                var client = new Socket(InetAddress.getLoopbackAddress(), impatient.port())) {
            client.setSoTimeout(10_000);
            client.getOutputStream().write(new byte[] {22, 3, 1, 2, 0});
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(impatient.dataPlane().failedHandshakes()).isEqualTo(1);
            assertThat(impatient.exchange(LAST)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void the_server_name_chooses_the_certificate() throws IOException {
        var several = new SecureGateway(
                (own, usual) -> {
                    own.authority.issue("b.example", "b.example", "*.b.example").write(own.folder.resolve("b.pem"));
                    own.authority
                            .issue("RSA", Duration.ofDays(1), "c", "x.b.example")
                            .write(own.folder.resolve("c.pem"));
                    return with(
                            SecureGateway.by(engine, usual),
                            own.place("a.pem"),
                            own.place("b.pem"),
                            own.place("c.pem"));
                },
                same -> same);
        try (several) {
            assertThat(subject(several, "a.example")).isEqualTo("CN=a.example");
            assertThat(subject(several, "B.example")).isEqualTo("CN=b.example");
            assertThat(subject(several, "www.b.example")).isEqualTo("CN=b.example");
            assertThat(subject(several, "x.b.example")).isEqualTo("CN=c");
            assertThat(subject(several, "a.www.b.example")).isEqualTo("CN=a.example");
            assertThat(subject(several, "elsewhere.example")).isEqualTo("CN=a.example");
        }
    }

    @Test
    void changed_files_are_presented_after_a_reload_and_connections_that_stand_go_on() throws IOException {
        SecureGateway own = SecureGateway.by(engine);
        try (own) {
            SSLSocket standing = own.socket();
            standing.getOutputStream().write(GET.getBytes(ISO_8859_1));
            var in = new RawConnection(standing);
            assertThat(in.readAnswer()).startsWith("HTTP/1.1 200 ");

            own.authority.issue("renewed", "a.example").write(own.folder.resolve("a.pem"));
            own.tls.reload();

            assertThat(subject(own, "a.example")).isEqualTo("CN=renewed");
            assertThat(in.send(GET).readAnswer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void wrong_files_are_refused_by_name_while_the_old_ones_go_on() throws IOException {
        SecureGateway own = SecureGateway.by(engine);
        try (own) {
            Files.writeString(own.folder.resolve("a.pem"), "oops");

            assertThatThrownBy(own.tls::reload)
                    .isInstanceOf(TlsFilesException.class)
                    .hasMessageContaining(own.folder.resolve("a.pem") + ": holds no certificate");
            assertThat(subject(own, "a.example")).isEqualTo("CN=a.example");
        }
    }

    private static TlsSettings with(TlsSettings usual, TlsSettings.Place... certificates) {
        return new TlsSettings(
                List.of(certificates),
                usual.password(),
                usual.oldest(),
                usual.clientAuth(),
                usual.clientCa(),
                usual.clientCrl(),
                usual.http2(),
                usual.engine());
    }

    private static String subject(SecureGateway of, String name) throws IOException {
        SSLSocket client = of.socket(of.authority.client(), name);
        client.startHandshake();
        var shown = (X509Certificate) client.getSession().getPeerCertificates()[0];
        return shown.getSubjectX500Principal().getName();
    }
}
