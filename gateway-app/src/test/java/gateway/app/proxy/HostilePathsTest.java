package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths that mean one thing to the gateway and another to an upstream, on raw sockets: `/admin` is blocked.
final class HostilePathsTest {
    @RegisterExtension
    private static final HostileGateway GATEWAY = HostileGateway.ofAllTests();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/public/..%2fadmin", "/public/%2e%2e/admin", "/public/../admin", "//admin", "/admin%2f",
                        "/public/..;/admin",
                "/\\admin", "/admin%00", "/admin%5c", "/public/..%5cadmin", "/%252e%252e/admin", "/public/..%252fadmin",
                "/%2561dmin", "/public/%c0%ae%c0%ae/admin", "/public/./admin", "/./admin", "/public//admin",
                        "/admin%0d%0aX:y",
                "/%", "/%zz", "/admin%ff", "/%2fadmin", "/public/%2e%2e%3bx/admin", "http://a.example//admin",
                "http://a.example/public/../admin", "/files/..%2f..%2fadmin", "/files/%252fadmin"
            })
    void a_path_with_two_readings_is_answered_400_and_goes_nowhere(String path) throws IOException {
        assertThat(get(path)).startsWith("HTTP/1.1 400 ");
        assertThat(GATEWAY.upstream.bytes).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin",
                "/admin/",
                "/admin/x",
                "/%61dmin",
                "/%61%64%6d%69%6e/x",
                "/admin?x=/public",
                "http://a.example/admin"
            })
    void every_spelling_of_a_blocked_path_is_blocked(String path) throws IOException {
        assertThat(get(path)).startsWith("HTTP/1.1 403 ");
        assertThat(GATEWAY.upstream.bytes).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/adminx", "/Admin", "/public/admin", "/admin.", "/admi"})
    void what_only_resembles_a_blocked_path_is_another_path(String path) throws IOException {
        assertThat(get(path)).startsWith("HTTP/1.1 200 ").contains("served GET " + path);
    }

    @ParameterizedTest
    @CsvSource({
        "/public/a%20b/%C3%A9?x=%2F, /public/a%20b/%C3%A9?x=%2F",
        "/orders/%61/b, /%61/b",
        "/%6frders/a%20b?q, /a%20b?q",
        "/orders, /",
        "/orders/, /",
        "/ordersx, /ordersx",
        "/files/a%2Fb%5Cc, /a%2Fb%5Cc",
        "/files/http%3a%2f%2fx, /http%3a%2f%2fx",
        "/public/a;v=1/b, /public/a;v=1/b",
        "/public/a+b~c!(d)*, /public/a+b~c!(d)*",
    })
    void the_raw_path_goes_on_octet_for_octet(String sent, String received) throws IOException {
        String answer = get(sent);

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(GATEWAY.upstream.requests)
                .extracting(RecordingUpstream.Received::requestLine)
                .containsExactly("GET " + received + " HTTP/1.1");
    }

    private static String get(String target) throws IOException {
        return RawClient.exchange(
                GATEWAY.port(), "GET " + target + " HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n");
    }
}
