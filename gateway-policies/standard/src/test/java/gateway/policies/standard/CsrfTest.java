package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CsrfTest {
    private final Reading reading = new Reading(new Csrf.Type());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | Origin: https://app.example.com                     | true",
                "POST | Origin: https://api.example.com:8443                | true",
                "POST | Origin: https://api.example.com                     | false",
                "POST | Origin: http://app.example.com                      | false",
                "POST | Origin: https://app.example.com.evil.example        | false",
                "POST | Origin: https://evil.example                        | false",
                "POST | Origin: null                                        | false",
                "POST | Origin: https://evil.example, Referer: https://app.example.com/ | false",
                "POST | Origin: https://app.example.com, Origin: https://evil.example | false",
                "POST | Referer: https://app.example.com/page?x=https://evil.example | true",
                "POST | Referer: https://app.example.com@evil.example/      | false",
                "POST | Referer: https://evil.example/https://app.example.com | false",
                "POST | Referer: https://app.example.com\\evil.example      | true",
                "POST | Referer: about:blank                                | false",
                "POST | Sec-Fetch-Site: same-origin                         | true",
                "POST | Sec-Fetch-Site: none                                | true",
                "POST | Sec-Fetch-Site: same-site                           | false",
                "POST | Sec-Fetch-Site: cross-site                          | false",
                "POST |                                                     | false",
                "DELETE | Origin: https://evil.example                      | false",
                "get  | Origin: https://evil.example                        | false",
                "GET  | Origin: https://evil.example                        | true",
                "HEAD |                                                     | true",
                "OPTIONS | Origin: https://evil.example                     | true"
            })
    void lets_pass_what_pages_of_known_origins_ask(String method, String fields, boolean passes) {
        var exchange = Exchanges.of(method, "/").scheme("https").with("Host", "API.example.com:8443");
        if (fields != null)
            for (String field : fields.split(", ", -1)) exchange.with(field.split(": ", 2)[0], field.split(": ", 2)[1]);

        var stop = reading.policy("{'origins': ['https://app.example.com']}").stop(exchange.make());

        assertThat(stop.isEmpty()).isEqualTo(passes);
        stop.ifPresent(refusal -> assertThat(Reading.problem(refusal)).isEqualTo("forbidden"));
    }

    @ParameterizedTest
    @CsvSource({"https://evil.example, false", "https://app.example.com, true"})
    void looks_at_handshakes_of_web_sockets(String origin, boolean passes) {
        var handshake = Exchanges.get("/").openingWebSocket().with("Origin", origin);

        assertThat(reading.policy("{'origins': ['https://app.example.com']}")
                        .stop(handshake.make())
                        .isEmpty())
                .isEqualTo(passes);
    }

    @Test
    void lets_programs_pass_where_the_definition_says_so() {
        var policy = reading.policy("{'unknown': 'allow'}");

        assertThat(policy.stop(Exchanges.of("POST", "/").make())).isEmpty();
        assertThat(policy.stop(Exchanges.of("POST", "/")
                        .with("Origin", "https://evil.example")
                        .make()))
                .isPresent();
    }

    @Test
    void names_every_problem() {
        assertThat(reading.problems("{'origins': ['*'], 'unknown': 'maybe'}"))
                .contains("/origins: expected origins, not \"*\", which would let every page")
                .hasSize(2);
    }
}
