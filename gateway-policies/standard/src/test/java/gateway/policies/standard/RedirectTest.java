package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RedirectTest {
    private final Reading reading = new Reading(new Redirect.Type());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'to': '/new{request.path}'                               | /new/a%20b?x=1&y=%2f",
                "'to': '{request.path}', 'keepQuery': false               | /a%20b",
                "'to': 'https://{request.host}/new{request.path}?from={request.query.y}' | https://api.example.com/new/a%20b?from=%2F",
                "'to': '{request.scheme}://{request.host}:8443'           | http://api.example.com:8443/?x=1&y=%2f",
                "'to': 'https://Docs.example.org:81/{api.id}', 'hosts': ['docs.example.org:81'] | https://docs.example.org:81/orders?x=1&y=%2f"
            })
    void leads_to_the_same_origin_or_a_host_of_the_list(String fields, String location) {
        Response answer = reading.policy("{" + fields + "}")
                .stop(Exchanges.get("/a%20b?x=1&y=%2f").make())
                .orElseThrow();

        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.headers().first("Location")).contains(location);
    }

    @Test
    void answers_the_status_of_its_definition() {
        assertThat(reading.policy("{'to': '/b', 'status': 308}")
                        .stop(Exchanges.get("/a").make())
                        .orElseThrow()
                        .status())
                .isEqualTo(308);
    }

    @Property
    void no_value_leads_anywhere_else(@ForAll String value) {
        Exchange exchange = Exchanges.get("/").make();
        exchange.variable("x", value);
        exchange.variable("path", value);

        for (String to : new String[] {"/{var.x}", "/{var.path}", "https://{request.host}/{var.path}/?a={var.x}"}) {
            Optional<Response> answer = reading.policy("{'to': '" + to + "'}").stop(exchange);

            String location = answer.orElseThrow().headers().first("Location").orElse("/");
            assertThat(location)
                    .matches("(https://api\\.example\\.com)?/([^/\\\\].*)?")
                    .doesNotContain("\r", "\n");
        }
    }

    @Test
    void a_slash_before_the_path_that_has_one_is_called_so() {
        assertThatThrownBy(() -> reading.policy("{'to': '/new/{request.path}'}"))
                .hasMessageContaining("expected no slash before {request.path}, which begins with one");
    }

    @Test
    void a_path_that_leads_upwards_is_refused() {
        Exchange exchange = Exchanges.get("/").make();
        exchange.variable("path", "/evil.example");

        Response answer = reading.policy("{'to': '/{var.path}'}").stop(exchange).orElseThrow();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(Reading.problem(answer)).isEqualTo("bad-path");
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'to': 'https://evil.example/', 'status': 304, 'hosts': ['good.example']}"))
                .containsExactlyInAnyOrder(
                        "/status: expected 301, 302, 303, 307 or 308, got 304",
                        "/to: expected a host that \"hosts\" lists, got \"evil.example\"");
        for (String to :
                new String[] {"ftp://a/b", "{request.header.x}", "a", "https://{request.header.x}/", "\\\\a"}) {
            assertThat(reading.problems("{'to': '" + to.replace("\\", "\\\\") + "'}"))
                    .as(to)
                    .isNotEmpty();
        }
        assertThat(reading.problems("{'to': '//evil.example/a'}"))
                .containsExactly("/to: expected a path, percent-encoded, without empty or dot segments");
        assertThat(reading.problems("{'to': '/a\\r\\nX: b'}")).isNotEmpty();
    }
}
