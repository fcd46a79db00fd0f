package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// A real browser at `oidc-provider` and a whole gateway: its rules for cookies, redirects and fetches, not ours.
@Tag("proofs")
@Timeout(400)
final class ChromiumLoginTest {
    private final int port = FreePort.take();
    private final String origin = "http://localhost:" + port;

    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(strings = {"store", "cookie"})
    void a_person_logs_in_uses_the_api_has_the_tokens_renewed_and_logs_out(String in) {
        try (OidcProvider provider = OidcProvider.loggingIn(origin, 4);
                GuardedGateway gateway = start(provider, in);
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            chromium.open(origin + "/books?page=2");
            until(() -> chromium.place().startsWith(provider.issuer()));
            chromium.type("input[name=login]", "alice");
            chromium.type("input[name=password]", "any");
            chromium.click("button[type=submit]");
            until(() -> chromium.place().equals(origin + "/books?page=2"), chromium::place);
            assertThat(gateway.arrived()).anyMatch(headers -> headers.contains("X-user=[alice]"));
            assertThat(chromium.run("return document.cookie").stringValue()).isEmpty(); // no script sees the session

            String first = gateway.arrived().getLast();
            until(() -> fetch(chromium) == 200
                    && !token(gateway.arrived().getLast()).equals(token(first)));
            JsonNode statuses = chromium.run("""
                    return Promise.all(Array.from({length: 20}, (_, i) => fetch('/' + i).then(r => r.status)))""");
            assertThat(statuses.values()).hasSize(20).allMatch(status -> status.intValue() == 200);

            chromium.open(origin + "/.auth/logout");
            until(() -> chromium.place().startsWith(provider.issuer()));
            chromium.click("button[value=yes]");
            until(() -> !chromium.place().startsWith(provider.issuer() + "/session/end"), chromium::place);
            chromium.open(origin + "/");
            until(() -> chromium.place().startsWith(provider.issuer() + "/interaction"), chromium::place);
        }
    }

    private static int fetch(Chromium chromium) {
        return chromium.run("return fetch('/').then(response => response.status)")
                .intValue();
    }

    private static String token(String headers) {
        return headers.replaceAll(".*X-access-token=\\[([^]]+)].*", "$1");
    }

    private GuardedGateway start(OidcProvider provider, String in) {
        var settings = new HashMap<>(Map.of(
                "GATEWAY_SECRET_SHOP", "shop-secret", "GATEWAY_SECRET_COOKIES", "0123456789abcdef0123456789abcdef"));
        settings.put("GATEWAY_LISTEN", "127.0.0.1:" + port);
        return GuardedGateway.start(data.resolve("gateway"), """
                {"type": "oidc", "issuer": "%s", "scopes": ["openid", "profile"],
                 "client": {"id": "shop", "secret": {"env": "GATEWAY_SECRET_SHOP"}},
                 "session": {"in": "%s", "key": {"env": "GATEWAY_SECRET_COOKIES"}},
                 "logout": "/.auth/logout", "postLogout": ["%s/bye"],
                 "forward": {"accessToken": "X-Access-Token", "claims": {"X-User": "preferred_username"}}}""".formatted(provider.issuer(), in, origin), settings);
    }
}
