package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// People log in at `oidc-provider` and use a whole gateway, over sockets.
@Timeout(400)
final class GatewayOidcTest {
    private static final Pattern FIELD = Pattern.compile("name=\"xsrf\" value=\"([^\"]+)\"");
    private static final Map<String, String> SECRETS =
            Map.of("GATEWAY_SECRET_SHOP", "shop-secret", "GATEWAY_SECRET_COOKIES", "0123456789abcdef0123456789abcdef");

    private final int port = FreePort.take();
    private final String origin = "http://localhost:" + port;

    @TempDir
    private Path data;

    private GuardedGateway start(OidcProvider provider, String in, String more) {
        String policy = """
                {"type": "oidc", "issuer": "%s", "scopes": ["openid", "profile"],
                 "client": {"id": "shop", "secret": {"env": "GATEWAY_SECRET_SHOP"}},
                 "session": {"in": "%s", "key": {"env": "GATEWAY_SECRET_COOKIES"}},
                 "logout": "/.auth/logout", "postLogout": ["%s/bye"],
                 "forward": {"accessToken": "X-Access-Token", "claims": {"X-User": "preferred_username"}}%s}""".formatted(provider.issuer(), in, origin, more);
        var settings = new HashMap<>(SECRETS);
        settings.put("GATEWAY_LISTEN", "127.0.0.1:" + port);
        return GuardedGateway.start(data, policy, settings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "cookie"})
    void a_person_logs_in_uses_the_api_has_the_tokens_renewed_and_logs_out(String in) {
        try (OidcProvider provider = OidcProvider.loggingIn(origin, 4);
                GuardedGateway gateway = start(provider, in, "");
                var browser = new Browser()) {
            HttpResponse<String> page = browser.logIn(URI.create(origin + "/books?page=2"));

            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            assertThat(page.uri()).hasToString(origin + "/books?page=2");
            assertThat(gateway.arrived())
                    .singleElement()
                    .asString()
                    .contains("X-user=[alice]")
                    .doesNotContain("gw-orders");

            String first = accessToken(gateway.arrived().getLast());
            until(() -> browser.fetch(URI.create(origin + "/")).statusCode() == 200
                    && !accessToken(gateway.arrived().getLast()).equals(first));

            HttpResponse<String> out = browser.open(URI.create(origin + "/.auth/logout"));
            assertThat(Browser.target(out).toString()).startsWith(provider.issuer() + "/session/end?");
            HttpResponse<String> asked = browser.follow(out);
            Matcher form = Browser.FORM.matcher(asked.body());
            Matcher field = FIELD.matcher(asked.body());
            assertThat(form.find() && field.find()).as(asked.body()).isTrue();
            HttpResponse<String> confirmed =
                    browser.submit(URI.create(form.group(1)), Map.of("xsrf", field.group(1), "logout", "yes"));
            assertThat(Browser.target(confirmed)).hasToString(origin + "/bye");
            assertThat(browser.fetch(URI.create(origin + "/")).statusCode()).isEqualTo(401);
            assertThat(browser.cookies("localhost")).isEmpty();
        }
    }

    private static String accessToken(String headers) {
        Matcher token = Pattern.compile("X-access-token=\\[([^]]+)]").matcher(headers);
        assertThat(token.find()).as(headers).isTrue();
        return token.group(1);
    }

    @Test
    void the_provider_ends_the_session_of_one_who_logs_out_there() {
        try (OidcProvider provider = OidcProvider.loggingIn(origin, 60);
                GuardedGateway gateway = start(provider, "store", ", \"backChannelLogout\": \"/.auth/ended\"");
                var browser = new Browser()) {
            assertThat(browser.logIn(URI.create(origin + "/")).statusCode()).isEqualTo(200);
            assertThat(browser.fetch(URI.create(origin + "/")).statusCode()).isEqualTo(200);

            HttpResponse<String> asked = browser.open(URI.create(provider.issuer() + "/session/end"));
            Matcher form = Browser.FORM.matcher(asked.body());
            Matcher field = FIELD.matcher(asked.body());
            assertThat(form.find() && field.find()).as(asked.body()).isTrue();
            browser.submit(URI.create(form.group(1)), Map.of("xsrf", field.group(1), "logout", "yes"));

            until(() -> browser.fetch(URI.create(origin + "/")).statusCode() == 401);
            assertThat(gateway.arrived()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "cookie"})
    void twenty_requests_of_a_page_at_the_end_of_its_token_renew_it_once_and_nobody_is_logged_out(String in)
            throws Exception {
        try (OidcProvider provider = OidcProvider.loggingIn(origin, 2);
                GuardedGateway gateway = start(provider, in, "");
                var browser = new Browser()) {
            assertThat(browser.logIn(URI.create(origin + "/")).statusCode()).isEqualTo(200);
            for (int round = 0; round < 3; round++) {
                String before = accessToken(gateway.arrived().getLast());
                var statuses = new ConcurrentLinkedQueue<Integer>();
                until(() -> {
                    statuses.addAll(together(browser, 20));
                    return !accessToken(gateway.arrived().getLast()).equals(before);
                });
                assertThat(statuses).containsOnly(200); // a refresh token serves once: a second renewal would end it
            }
        }
    }

    private List<Integer> together(Browser browser, int many) {
        var tabs = Stream.generate(browser::copy).limit(many).toList();
        var statuses = new ConcurrentLinkedQueue<Integer>();
        List<Thread> threads = tabs.stream()
                .map(tab -> Thread.startVirtualThread(
                        () -> statuses.add(tab.fetch(URI.create(origin + "/")).statusCode())))
                .toList();
        threads.forEach(GatewayOidcTest::join);
        Map<String, String> shown = Map.copyOf(browser.cookies("localhost"));
        tabs.stream()
                .map(tab -> tab.cookies("localhost"))
                .filter(cookies -> !cookies.equals(shown))
                .findFirst()
                .ifPresent(browser.cookies("localhost")::putAll);
        return List.copyOf(statuses);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
