package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http1.RawClient;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What those try who want to be let in as somebody else, or to have others go elsewhere: bytes sent to a listener.
@Timeout(120)
final class GatewayOidcAttacksTest {
    private static final Map<String, String> SECRETS =
            Map.of("GATEWAY_SECRET_SHOP", "shop-secret", "GATEWAY_SECRET_COOKIES", "0123456789abcdef0123456789abcdef");

    private final LoginProvider provider = LoginProvider.start();
    private final Browser browser = new Browser();

    @TempDir
    private Path data;

    @AfterEach
    void close() {
        browser.close();
        provider.close();
    }

    private GuardedGateway start(String session) {
        return GuardedGateway.start(data, policy(provider, session), SECRETS);
    }

    private static String policy(LoginProvider provider, String session) {
        return """
                {"type": "oidc", "issuer": "%s", "logout": "/.auth/logout", "postLogout": ["https://shop.example/bye"],
                 "client": {"id": "shop", "secret": {"env": "GATEWAY_SECRET_SHOP"}}, "timeout": "1s",
                 "session": {%s "cookie": "__Host-shop", "key": {"env": "GATEWAY_SECRET_COOKIES"}}}""".formatted(provider.issuer(), session);
    }

    private static URI at(GuardedGateway gateway, String target) {
        return URI.create("http://localhost:" + gateway.port() + target);
    }

    /// The state of a login that this browser begins, whose nonce the provider repeats.
    private String begin(Browser whose, URI place) {
        HttpResponse<String> response = whose.open(place);
        assertThat(response.statusCode()).isEqualTo(302);
        String asked = response.headers().firstValue("Location").orElseThrow();
        provider.repeat(parameter(asked, "nonce"));
        return parameter(asked, "state");
    }

    private static String parameter(String url, String name) {
        Matcher found = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
        assertThat(found.find()).as(url).isTrue();
        return URLDecoder.decode(found.group(1), StandardCharsets.UTF_8);
    }

    private static HttpResponse<String> finish(Browser whose, GuardedGateway gateway, String state) {
        return whose.open(at(gateway, "/.auth/callback?code=c&state=" + state));
    }

    @Test
    void the_state_of_another_browser_and_a_code_that_has_come_are_400() {
        try (GuardedGateway gateway = start("")) {
            var victim = browser.copy();
            String state = begin(browser, at(gateway, "/"));
            String own = begin(victim, at(gateway, "/"));
            assertThat(finish(victim, gateway, state).statusCode())
                    .as("login of an attacker")
                    .isEqualTo(400);
            assertThat(finish(victim, gateway, "").statusCode()).isEqualTo(400);
            assertThat(victim.open(at(gateway, "/.auth/callback?code=c%0d%0aX:%201&state=" + own + "%0d%0a"))
                            .statusCode())
                    .isEqualTo(400);
            assertThat(provider.asked()).isEmpty();

            state = begin(browser, at(gateway, "/"));
            var keeping = browser.copy();
            assertThat(finish(browser, gateway, state).statusCode()).isEqualTo(302);
            assertThat(finish(browser, gateway, state).statusCode())
                    .as("code twice")
                    .isEqualTo(400);
            assertThat(finish(keeping, gateway, state).statusCode())
                    .as("and with its cookie")
                    .isEqualTo(400);
            assertThat(provider.asked()).hasSize(1);
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void nobody_is_sent_to_another_host_wherever_the_request_pretends_to_go() throws IOException {
        try (GuardedGateway gateway = start("")) {
            int begun = 0;
            for (String target : List.of(
                    "//evil.example/",
                    "///evil.example/",
                    "/\\evil.example/",
                    "/%5cevil.example/",
                    "/%2fevil.example/",
                    "/.//evil.example",
                    "/x/..//evil.example",
                    "https:evil.example",
                    "https://evil.example/",
                    "http://evil.example//evil.example/",
                    "/%0d%0aLocation:%20https://evil.example",
                    "/?x=%0d%0aSet-Cookie:%20a=b",
                    "/?return=//evil.example",
                    "/@evil.example")) {
                String answer = RawClient.exchange(
                        gateway.port(),
                        "GET " + target + " HTTP/1.1\r\nHost: localhost:" + gateway.port()
                                + "\r\nSec-Fetch-Mode: navigate\r\nConnection: close\r\n\r\n");
                if (!answer.startsWith("HTTP/1.1 302 ")) {
                    assertThat(answer).as(target).startsWith("HTTP/1.1 40");
                    continue;
                }
                begun++;
                String place = place(answer, gateway, target);
                assertThat(place)
                        .as(target)
                        .startsWith("/")
                        .doesNotStartWith("//")
                        .doesNotContain("\\", "\r", "\n");
            }
            assertThat(begun).isGreaterThanOrEqualTo(3); // the gateway refuses the other targets as such
        }
    }

    /// Where the browser goes once it has logged in.
    private String place(String answer, GuardedGateway gateway, String target) {
        String asked = line(answer, "Location");
        assertThat(asked).as(target).startsWith(provider.issuer() + "/auth?");
        var own = browser.copy();
        String cookie = line(answer, "Set-Cookie");
        int sign = cookie.indexOf('=');
        own.cookies("localhost").put(cookie.substring(0, sign), cookie.substring(sign + 1, cookie.indexOf(';')));
        provider.repeat(parameter(asked, "nonce"));
        HttpResponse<String> finished = finish(own, gateway, parameter(asked, "state"));
        assertThat(finished.statusCode()).as(target).isEqualTo(302);
        return finished.headers().firstValue("Location").orElseThrow();
    }

    private static String line(String answer, String name) {
        Matcher found = Pattern.compile("(?i)\r\n" + name + ": ([^\r]*)").matcher(answer);
        assertThat(found.find()).as(answer).isTrue();
        return found.group(1);
    }

    @Test
    void who_logs_out_is_sent_to_a_place_of_the_list_alone() {
        try (GuardedGateway gateway = start("")) {
            for (String wished :
                    List.of("//evil", "/%5Cevil", "https:evil", "https%3A%2F%2Fshop.example%2Fbye%0d%0aX:1")) {
                HttpResponse<String> response = browser.open(at(gateway, "/.auth/logout?return=" + wished));

                assertThat(response.headers().firstValue("Location")).contains("https://shop.example/bye");
                assertThat(response.headers().map()).doesNotContainKey("x");
            }
        }
    }

    @Test
    void a_session_of_12_kb_is_refused_once_and_nobody_is_sent_around() {
        try (GuardedGateway gateway = start("\"in\": \"cookie\", \"keep\": [\"much\"],")) {
            provider.alter(claims -> claims.replace("}", ", 'much': '" + "x".repeat(11_500) + "'}"));
            HttpResponse<String> response = finish(browser, gateway, begin(browser, at(gateway, "/")));

            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.body()).contains("The session is too large");
            assertThat(browser.cookies("localhost")).doesNotContainKey("shop");
        }
    }

    @Test
    void cookies_of_12_kb_that_somebody_has_made_up_open_nothing() {
        for (String in : List.of("store", "cookie")) {
            try (GuardedGateway gateway =
                    GuardedGateway.start(data.resolve(in), policy(provider, "\"in\": \"" + in + "\","), SECRETS)) {
                browser.cookies("localhost").put("shop", "4." + "A".repeat(3_000));
                for (int i = 1; i < 4; i++) browser.cookies("localhost").put("shop~" + i, "A".repeat(3_000));

                assertThat(browser.fetch(at(gateway, "/")).statusCode()).isEqualTo(401);
                assertThat(gateway.arrived()).isEmpty();
            }
        }
    }

    @Test
    void a_session_that_was_prepared_does_not_become_that_of_who_logs_in() {
        try (GuardedGateway gateway = start("")) {
            var attacker = browser.copy();
            assertThat(finish(attacker, gateway, begin(attacker, at(gateway, "/")))
                            .statusCode())
                    .isEqualTo(302);
            String prepared = attacker.cookies("localhost").get("shop");
            for (String each : List.of(prepared, "A".repeat(43))) {
                browser.cookies("localhost").clear();
                String state = begin(browser, at(gateway, "/"));
                browser.cookies("localhost").put("shop", each);
                assertThat(finish(browser, gateway, state).statusCode()).isEqualTo(302);

                assertThat(browser.cookies("localhost").get("shop")).isNotEqualTo(each);
                assertThat(browser.fetch(at(gateway, "/")).statusCode()).isEqualTo(200);
                attacker.cookies("localhost").put("shop", each);
                assertThat(attacker.fetch(at(gateway, "/")).statusCode()).isEqualTo(401);
            }
        }
    }

    @Test
    void the_cookie_of_one_api_opens_no_other_of_the_same_host_key_and_name() throws Exception {
        for (String in : List.of("store", "cookie")) {
            String policy = policy(provider, "\"in\": \"" + in + "\",");
            try (GuardedGateway gateway = GuardedGateway.start(data.resolve(in), policy, SECRETS)) {
                addApi(gateway, policy);
                var own = browser.copy();
                assertThat(finish(own, gateway, begin(own, at(gateway, "/"))).statusCode())
                        .isEqualTo(302);

                assertThat(own.fetch(at(gateway, "/x")).statusCode()).isEqualTo(200);
                assertThat(own.fetch(at(gateway, "/billing")).statusCode()).isEqualTo(401);
            }
        }
    }

    /// One more below `/billing`.
    private static void addApi(GuardedGateway gateway, String policy) throws Exception {
        gateway.admin().call("POST", "/apis", """
                {"id": "billing", "match": {"path": "/billing"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:1"}]}}""".formatted(policy));
    }

    @Test
    void an_id_token_of_another_login_unsigned_or_for_another_client_is_400() {
        try (GuardedGateway gateway = start("")) {
            String first = begin(browser, at(gateway, "/"));
            String second = begin(browser, at(gateway, "/")); // whose nonce the provider repeats
            assertThat(finish(browser, gateway, first).statusCode()).isEqualTo(400);
            assertThat(finish(browser, gateway, second).statusCode()).isEqualTo(302);
            provider.writeHeader("{'alg': 'none'}");
            assertThat(finish(browser, gateway, begin(fresh(), at(gateway, "/")))
                            .statusCode())
                    .isEqualTo(400);
            provider.writeHeader("{'alg': 'RS256', 'kid': 'k1'}");
            for (String more :
                    List.of("'azp': 'other'}", "'aud': 'other'}", "'aud': ['shop', 'other']}", "'exp': 1}")) {
                String name = more.substring(0, more.indexOf(':'));
                provider.alter(claims -> without(claims, name).replace("}", ", " + more));
                assertThat(finish(browser, gateway, begin(fresh(), at(gateway, "/")))
                                .statusCode())
                        .as(more)
                        .isEqualTo(400);
            }
            provider.alter(claims -> claims);
            assertThat(finish(browser, gateway, begin(fresh(), at(gateway, "/")))
                            .statusCode())
                    .isEqualTo(302);
        }
    }

    private Browser fresh() {
        browser.cookies("localhost").clear();
        return browser;
    }

    private static String without(String claims, String name) {
        return claims.replaceAll(", " + name + ": ('[^']*'|[0-9]+)", "");
    }

    @Test
    void the_answer_of_one_provider_is_not_taken_for_that_of_another() throws Exception {
        try (LoginProvider evil = LoginProvider.start();
                GuardedGateway gateway = start("")) {
            addApi(gateway, policy(evil, "").replace("__Host-shop", "__Host-evil"));
            String state = begin(browser, at(gateway, "/"));
            String iss = "&iss=" + evil.issuer();
            until(() -> browser.open(at(gateway, "/billing/x")).statusCode() == 302);

            assertThat(browser.open(at(gateway, "/.auth/callback?code=c&state=" + state + iss))
                            .statusCode())
                    .isEqualTo(400);
            String again = begin(browser, at(gateway, "/"));
            assertThat(browser.open(at(gateway, "/billing/.auth/callback?code=c&state=" + again))
                            .statusCode())
                    .isEqualTo(400);
            assertThat(provider.asked()).isEmpty();
            assertThat(evil.asked()).isEmpty();
        }
    }

    @Test
    void while_the_provider_is_away_sessions_go_on_and_a_login_is_503() {
        try (GuardedGateway gateway = start("")) {
            assertThat(finish(browser, gateway, begin(browser, at(gateway, "/")))
                            .statusCode())
                    .isEqualTo(302);
            var other = new Browser();
            String state = begin(other, at(gateway, "/"));
            provider.freeze();
            assertThat(finish(other, gateway, state).statusCode()).isEqualTo(503);
            assertThat(browser.fetch(at(gateway, "/")).statusCode()).isEqualTo(200);
            provider.kill();
            assertThat(browser.fetch(at(gateway, "/")).statusCode()).isEqualTo(200);
            assertThat(other.fetch(at(gateway, "/")).statusCode()).isEqualTo(401); // nothing to be asked about
        }
    }

    @Test
    void sessions_go_on_while_the_provider_is_killed_frozen_or_tells_rubbish_and_logins_within_a_second_after_it()
            throws Exception {
        try (GuardedGateway gateway = start("");
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(logIn(browser, gateway)).isEqualTo(302);
            Callable<Integer> call = () -> browser.fetch(at(gateway, "/")).statusCode();
            List<Runnable> breakages = List.of(provider::kill, provider::freeze, provider::tellRubbish);
            List<Runnable> ends = List.of(provider::revive, provider::heal, provider::heal);
            for (int i = 0; i < breakages.size(); i++) {
                var other = new Browser();
                String state = begin(other, at(gateway, "/"));

                breakages.get(i).run();

                for (Future<Integer> each : callers.invokeAll(Collections.nCopies(100, call))) {
                    assertThat(each.get()).isEqualTo(200);
                }
                assertThat(finish(other, gateway, state).statusCode()).isEqualTo(503);
                ends.get(i).run();
                Recovery.withinASecond(() -> logIn(other, gateway) == 302);
                assertThat(other.fetch(at(gateway, "/")).statusCode()).isEqualTo(200);
                other.close();
            }
        }
    }

    private int logIn(Browser whose, GuardedGateway gateway) {
        return finish(whose, gateway, begin(whose, at(gateway, "/"))).statusCode();
    }
}
