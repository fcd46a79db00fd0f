package gateway.policies.identity;

import static gateway.Eventually.until;
import static gateway.policies.identity.Visitor.navigation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.policies.cryptography.TokenSmith;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;

@Timeout(60)
final class OidcTest {
    private static final String STORE = "'session': {'key': {'secret': 'cookies'}, 'idle': '30m', 'total': '8h'}";
    private static final String COOKIE = "'session': {'in': 'cookie', 'key': {'secret': 'cookies'}}";
    private static final String FORWARD =
            ", 'forward': {'accessToken': 'Authorization', 'claims': {'X-User': 'preferred_username'}}";

    private final FakeServices services = new FakeServices();
    private final PlayedProvider provider = PlayedProvider.in(services);
    private final Visitor visitor = new Visitor();

    @Test
    void asks_the_provider_by_code_with_pkce_state_and_nonce() throws Exception {
        Policy policy = policy(STORE + ", 'scopes': ['profile', 'openid'], 'parameters': {'prompt': 'login'}");

        Response response = visitor.open(policy, "/a%20b?x=1");

        assertThat(response.status()).isEqualTo(302);
        assertThat(response.reason()).isEqualTo("unauthenticated");
        assertThat(response.headers().first("Cache-Control")).contains("no-store");
        String place = response.headers().first("Location").orElseThrow();
        assertThat(place).startsWith("https://id.example/auth?tenant=a&");
        FormParameters asked =
                FormParameters.parse(URI.create(place).getRawQuery()).orElseThrow();
        assertThat(asked.text("response_type")).isEqualTo("code");
        assertThat(asked.text("client_id")).isEqualTo("shop");
        assertThat(asked.text("redirect_uri")).isEqualTo("https://shop.example/.auth/callback");
        assertThat(asked.text("scope")).isEqualTo("openid profile");
        assertThat(asked.text("prompt")).isEqualTo("login");
        assertThat(asked.text("code_challenge_method")).isEqualTo("S256");
        assertThat(List.of(asked.text("state"), asked.text("nonce"), asked.text("code_challenge")))
                .doesNotHaveDuplicates()
                .allMatch(RandomText::isOne);
        assertThat(response.headers().all("Set-Cookie"))
                .singleElement()
                .asString()
                .matches(
                        "__Host-gw-orders~login[0-4]=[A-Za-z0-9_-]+; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600");

        provider.gives(provider.idToken(asked.text("nonce"), ""), "at", "rt", 300);
        Response back = answer(policy, visitor, asked.text("state"));

        FormParameters redeemed = provider.asked().getFirst();
        assertThat(redeemed.text("grant_type")).isEqualTo("authorization_code");
        assertThat(redeemed.text("code")).isEqualTo("c");
        assertThat(redeemed.text("redirect_uri")).isEqualTo("https://shop.example/.auth/callback");
        byte[] hash = MessageDigest.getInstance("SHA-256")
                .digest(redeemed.text("code_verifier").getBytes(StandardCharsets.US_ASCII));
        assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(hash))
                .isEqualTo(asked.text("code_challenge"));
        assertThat(back.headers().first("Location")).contains("/a%20b?x=1");
    }

    private static Response answer(Policy policy, Visitor visitor, String state) {
        return visitor.open(policy, "/.auth/callback?code=c&iss=https%3A%2F%2Fid.example&state=" + state);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORE, COOKIE})
    void a_session_names_the_caller_and_tells_the_upstream_what_is_to_be_forwarded(String session) {
        Policy policy = policy(session + FORWARD + ", 'consumer': {'tags': 'roles'}");
        FormParameters asked = visitor.begin(policy, "/");
        String more = ", 'preferred_username': 'Zoë\u0141', 'roles': ['a', 'b'], 'unused': 'x'";
        provider.gives(provider.idToken(asked.text("nonce"), more), "at-0", "rt-0", 300);
        answer(policy, visitor, asked.text("state"));
        Exchange exchange = visitor.showing(navigation("POST", "/x")
                        .with("Cookie", "mine=1")
                        .with("X-User", "root")
                        .with("Authorization", "Basic x"))
                .make();

        assertThat(visitor.open(policy, exchange).status()).isEqualTo(200);

        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("oidc:id.example/alice");
        assertThat(exchange.consumer().orElseThrow().tags()).containsExactly("a", "b");
        assertThat(exchange.headers().all("X-User")).containsExactly("Zoë?");
        assertThat(exchange.headers().all("Authorization")).containsExactly("Bearer at-0");
        assertThat(exchange.headers().all("Cookie")).containsExactly("mine=1");
        assertThat(exchange.fact(JsonPointer.compile("/oidc/sub"))).isPresent();
        assertThat(exchange.fact(JsonPointer.compile("/claims/roles/1"))).isPresent();
        assertThat(exchange.fact(JsonPointer.compile("/claims/unused"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "https://id.example, , id.example",
        "https://id.example/realms/a, , id.example;realms;a",
        "https://id.example:8443/realms/b/, , id.example:8443;realms;b;",
        "https://id.example/realms/a, corp, corp"
    })
    void callers_of_two_realms_of_one_host_are_two(String issuer, @Nullable String name, String expected) {
        var node =
                ConfigNode.parse(("{'issuer': '" + issuer + "', 'client': {'id': 'shop', 'secret': {'secret': 'shop'}}"
                                + (name == null ? "" : ", 'name': '" + name + "'") + ", " + STORE + '}')
                        .replace('\'', '"'));
        Oidc oidc = new Oidc.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();

        assertThat(oidc.provider().name()).isEqualTo(expected);
    }

    @Test
    void people_are_redirected_and_scripts_and_bodies_are_denied() {
        Policy auto = policy(STORE);
        assertThat(status(auto, request("GET").with("Sec-Fetch-Mode", "navigate")))
                .isEqualTo(302);
        assertThat(status(auto, request("GET").with("Accept", "text/html,*/*"))).isEqualTo(302);
        assertThat(status(auto, request("GET").with("Accept", "text/html").with("Sec-Fetch-Mode", "cors")))
                .isEqualTo(401);
        assertThat(status(auto, request("GET").with("Accept", "text/html").with("X-Requested-With", "x")))
                .isEqualTo(401);
        assertThat(status(auto, request("GET").with("Accept", "application/json")))
                .isEqualTo(401);
        assertThat(status(auto, request("POST").with("Sec-Fetch-Mode", "navigate")))
                .isEqualTo(401);
        Policy always = policy(STORE + ", 'unauthenticated': 'redirect'");
        assertThat(status(always, request("GET"))).isEqualTo(302);
        assertThat(status(always, request("HEAD"))).isEqualTo(302);
        assertThat(status(always, request("DELETE"))).isEqualTo(401);
        Policy never = policy(STORE + ", 'unauthenticated': 'deny'");
        assertThat(status(never, request("GET").with("Sec-Fetch-Mode", "navigate")))
                .isEqualTo(401);
        Response refusal = new Visitor().open(never, request("GET"));
        assertThat(refusal.headers().first("WWW-Authenticate")).contains("Cookie realm=\"orders\"");
    }

    private static Exchanges request(String method) {
        return Exchanges.of(method, "/").scheme("https");
    }

    private static int status(Policy policy, Exchanges request) {
        return new Visitor().open(policy, request).status();
    }

    @Test
    void over_plain_http_nobody_logs_in_but_on_this_machine() {
        Policy policy = policy(STORE);
        assertThat(status(policy, navigation("GET", "/").scheme("http"))).isEqualTo(403);
        assertThat(status(policy, navigation("GET", "/").scheme("http").with("X-Forwarded-Proto", "https")))
                .isEqualTo(302);
        for (String host : List.of("localhost:8080", "127.0.0.1:8080", "[::1]:8080")) {
            Response response =
                    visitor.open(policy, navigation("GET", "/").scheme("http").with("Host", host));

            assertThat(response.headers().first("Location").orElseThrow())
                    .contains("redirect_uri=http%3A%2F%2F"
                            + host.replace(":", "%3A").replace("[", "%5B").replace("]", "%5D"));
            assertThat(response.headers().first("Set-Cookie").orElseThrow())
                    .startsWith("gw-orders~login")
                    .doesNotContain("Secure");
        }
    }

    @Test
    void paths_are_those_below_the_api() {
        Policy policy = policy(STORE);
        Exchanges inside = navigation("GET", "/a/b/c").pathInApi("/c").with("X-Forwarded-Host", "shop.example:8443");

        String place = visitor.open(policy, inside).headers().first("Location").orElseThrow();

        assertThat(place).contains("redirect_uri=https%3A%2F%2Fshop.example%3A8443%2Fa%2Fb%2F.auth%2Fcallback");
    }

    @Test
    void an_answer_that_is_not_for_this_browser_or_not_good_is_400_and_asks_nothing_of_the_provider() {
        Policy policy = policy(STORE);
        FormParameters asked = visitor.begin(policy, "/wanted");
        String state = asked.text("state");
        String good = "/.auth/callback?code=c&iss=https%3A%2F%2Fid.example&state=";
        FormParameters other = new Visitor().begin(policy, "/");
        for (String target : List.of(
                good + other.text("state"),
                good,
                good + state + "x",
                good + state + "&state=" + state,
                "/.auth/callback?iss=https%3A%2F%2Fid.example&state=" + state,
                "/.auth/callback?code=c&iss=https%3A%2F%2Fevil.example&state=" + state,
                "/.auth/callback?code=c&state=" + state, // the provider says that it tells its name
                "/.auth/callback?error=access_denied&iss=https%3A%2F%2Fid.example&state=" + state)) {
            var same = new Visitor();
            same.cookies().putAll(visitor.cookies());

            Response response = same.open(policy, target);

            assertThat(response.status()).as(target).isEqualTo(400);
            assertThat(response.headers().first("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(same.cookies().keySet()).noneMatch(name -> name.equals("__Host-gw-orders"));
        }
        assertThat(provider.asked()).isEmpty();
        assertThat(new Visitor().open(policy, good + state).status()).isEqualTo(400);
        assertThat(visitor.open(policy, navigation("POST", good + state)).status())
                .isEqualTo(405);
        services.clock().advance(LoginAttempt.LONGEST);
        assertThat(visitor.open(policy, good + state).status()).isEqualTo(400);
        assertThat(provider.asked()).isEmpty();
    }

    @Test
    void a_code_serves_once_even_for_one_who_keeps_the_cookie() {
        Policy policy = policy(STORE);
        FormParameters asked = visitor.begin(policy, "/");
        var thief = new Visitor();
        thief.cookies().putAll(visitor.cookies());
        provider.gives(provider.idToken(asked.text("nonce"), ""), "at", "rt", 300);
        assertThat(answer(policy, visitor, asked.text("state")).status()).isEqualTo(302);

        assertThat(answer(policy, thief, asked.text("state")).status()).isEqualTo(400);
        assertThat(answer(policy, visitor, asked.text("state")).status()).isEqualTo(400);

        assertThat(provider.asked()).hasSize(1);
    }

    @Test
    void an_id_token_that_is_not_good_logs_nobody_in() {
        Policy policy = policy(STORE);
        String none = "{'alg': 'none'}";
        List<String> bad = new ArrayList<>();
        String nonce = "NONCE";
        String claims = provider.claims(nonce);
        String at = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[16]);
        bad.add(provider.sign(none, claims + '}'));
        bad.add(provider.sign("{'alg': 'HS256'}", claims + '}'));
        bad.add(provider.sign("{'alg': 'RS256', 'typ': 'at+jwt', 'kid': 'k1'}", claims + '}'));
        bad.add(provider.sign(claims.replace("'NONCE'", "'another'") + '}'));
        bad.add(provider.sign(claims.replace(", 'nonce': 'NONCE'", "") + '}'));
        bad.add(provider.sign(claims.replace("'shop'", "'other'") + '}'));
        bad.add(provider.sign(claims.replace("'shop'", "['shop', 'other']") + '}'));
        bad.add(provider.sign(claims.replace("'shop'", "['shop', 'other']") + ", 'azp': 'other'}"));
        bad.add(provider.sign(claims + ", 'azp': 'other'}"));
        bad.add(provider.sign(claims + ", 'at_hash': '" + at + "'}"));
        bad.add(provider.sign(claims.replace("id.example", "evil.example") + '}'));
        bad.add(provider.sign(claims.replaceAll("'exp': \\d+", "'exp': 1") + '}'));
        bad.add(provider.sign(claims.replaceAll(", 'exp': \\d+", "") + '}'));
        bad.add(provider.sign(claims.replaceAll("'iat': \\d+", "'iat': 9999999999") + '}'));
        bad.add(provider.sign(claims.replace("'alice'", "''") + '}'));
        bad.add(TokenSmith.rsa(2048, "k1").token((claims + '}').replace('\'', '"')));
        for (String token : bad) {
            FormParameters asked = visitor.begin(policy, "/");
            String own = resigned(token, asked.text("nonce"));
            provider.gives(own, "at", "rt", 300);

            assertThat(answer(policy, visitor, asked.text("state")).status())
                    .as(token)
                    .isEqualTo(400);
            assertThat(visitor.cookies()).doesNotContainKey("__Host-gw-orders");
        }
    }

    /// The same token with the nonce of this login, if it had the right one.
    private String resigned(String token, String nonce) {
        String[] parts = token.split("\\.", -1);
        String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        boolean foreign = !provider.sign(header, claims).equals(token);
        String signed = provider.sign(header, claims.replace("NONCE", nonce));
        return foreign ? signed.substring(0, signed.lastIndexOf('.') + 1) + parts[2] : signed;
    }

    @Test
    void takes_an_id_token_for_several_that_was_given_to_this_client() throws Exception {
        Policy policy = policy(STORE);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest("at".getBytes(StandardCharsets.US_ASCII));
        String half = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, 16));
        FormParameters asked = visitor.begin(policy, "/");
        String claims = provider.claims(asked.text("nonce")).replace("'shop'", "['shop', 'other']");
        provider.gives(provider.sign(claims + ", 'azp': 'shop', 'at_hash': '" + half + "'}"), "at", "rt", 300);

        assertThat(answer(policy, visitor, asked.text("state")).status()).isEqualTo(302);
    }

    @Test
    void a_provider_that_does_not_answer_is_an_outage_and_one_that_refuses_the_code_is_not() {
        Policy policy = policy(STORE);
        FormParameters first = visitor.begin(policy, "/");
        provider.goesAway();
        assertThatThrownBy(() -> answer(policy, visitor, first.text("state"))).isInstanceOf(DependencyException.class);
        FormParameters second = visitor.begin(policy, "/");
        provider.answers(_ -> PlayedProvider.json(401, "{\"error\": \"invalid_client\"}"));
        assertThatThrownBy(() -> answer(policy, visitor, second.text("state"))).isInstanceOf(DependencyException.class);
        FormParameters third = visitor.begin(policy, "/");
        provider.answers(_ -> PlayedProvider.json(400, "{\"error\": \"invalid_grant\"}"));
        assertThat(answer(policy, visitor, third.text("state")).status()).isEqualTo(400);
    }

    @Test
    void five_logins_are_under_way_at_most_and_the_oldest_gives_way() {
        Policy policy = policy(STORE);
        var states = new ArrayList<String>();
        for (int i = 0; i < 7; i++) {
            states.add(visitor.begin(policy, "/" + i).text("state"));
            services.clock().advance(Duration.ofSeconds(1));
        }

        assertThat(visitor.cookies()).hasSize(5);
        provider.answers(_ -> PlayedProvider.json(400, "{\"error\": \"invalid_grant\"}"));
        for (String state : states) answer(policy, visitor, state);
        assertThat(provider.asked()).hasSize(5);
    }

    @Test
    void a_browser_that_keeps_no_session_is_told_so_after_three_logins_and_not_sent_around_for_ever() {
        Policy policy = policy(STORE);
        for (int i = 0; i < 3; i++) {
            visitor.logIn(policy, provider, "/x");
            visitor.cookies().remove("__Host-gw-orders");
        }

        Response response = visitor.open(policy, "/x");

        assertThat(response.status()).isEqualTo(401);
        assertThat(text(response)).contains("does not keep the session", "href=\"/x\"");
        services.clock().advance(Duration.ofMinutes(1));
        assertThat(visitor.open(policy, "/x").status()).isEqualTo(302);
    }

    @Test
    void a_session_that_is_too_large_is_refused_and_not_parted_into_more_cookies() {
        Policy policy = policy(COOKIE.replace("'key'", "'keep': ['much'], 'key'") + FORWARD);
        for (int size : List.of(5_000, 9_000)) {
            var own = new Visitor();
            FormParameters asked = own.begin(policy, "/");
            String more = ", 'much': '" + "x".repeat(size) + "'";
            provider.gives(provider.idToken(asked.text("nonce"), more), "a".repeat(3_000), "rt", 300);

            Response response = answer(policy, own, asked.text("state"));

            assertThat(response.status()).isEqualTo(size == 5_000 ? 302 : 401);
            for (String line : response.headers().all("Set-Cookie"))
                assertThat(line).hasSizeLessThan(4_097);
        }
    }

    @Test
    void a_session_in_cookies_is_put_together_again_and_opens_nowhere_else() {
        Policy policy = policy(COOKIE.replace("'key'", "'keep': ['much'], 'key'"));
        FormParameters asked = visitor.begin(policy, "/");
        provider.gives(provider.idToken(asked.text("nonce"), ", 'much': '" + "x".repeat(7_000) + "'"), "at", "rt", 300);
        answer(policy, visitor, asked.text("state"));
        assertThat(visitor.cookies()).containsKeys("__Host-gw-orders", "__Host-gw-orders~1", "__Host-gw-orders~2");
        assertThat(visitor.open(policy, "/").status()).isEqualTo(200);

        assertThat(visitor.open(policyOf("other", COOKIE + ", 'refresh': false"), "/")
                        .status())
                .isEqualTo(302);
        for (String part : List.of("__Host-gw-orders", "__Host-gw-orders~1", "__Host-gw-orders~2")) {
            var changed = new Visitor();
            changed.cookies().putAll(visitor.cookies());
            changed.cookies()
                    .computeIfPresent(part, (_, value) -> value.substring(0, 100) + 'A' + value.substring(102));
            assertThat(changed.open(policy, "/").status()).as(part).isEqualTo(302);
            changed.cookies().remove(part);
            assertThat(changed.open(policy, "/").status()).as(part).isEqualTo(302);
        }
    }

    @Test
    void the_cookie_of_another_api_opens_nothing_though_key_and_name_are_the_same() {
        for (String session : List.of(STORE, COOKIE)) {
            String named = session.replace("'key'", "'cookie': '__Host-one', 'key'");
            Policy mine = policyOf("orders", named);
            Policy other = policyOf("billing", named);
            var both = new Visitor();
            both.logIn(mine, provider, "/");

            assertThat(both.open(mine, "/").status()).isEqualTo(200);
            assertThat(both.open(other, "/").status()).isEqualTo(302);
        }
    }

    @Test
    void a_login_makes_a_new_session_and_ends_what_the_browser_had() {
        Policy policy = policy(STORE);
        visitor.cookies().put("__Host-gw-orders", RandomText.next()); // prepared by somebody else
        String prepared = visitor.cookies().get("__Host-gw-orders");
        visitor.logIn(policy, provider, "/");
        String first = visitor.cookies().get("__Host-gw-orders");
        visitor.cookies().remove("__Host-gw-orders");
        FormParameters asked = visitor.begin(policy, "/");
        visitor.cookies().put("__Host-gw-orders", first);
        provider.gives(provider.idToken(asked.text("nonce"), ""), "at", "rt", 300);
        answer(policy, visitor, asked.text("state"));

        assertThat(List.of(prepared, first, visitor.cookies().get("__Host-gw-orders")))
                .doesNotHaveDuplicates();
        for (String old : List.of(prepared, first)) {
            var thief = new Visitor();
            thief.cookies().put("__Host-gw-orders", old);
            assertThat(thief.open(policy, "/").status()).isEqualTo(302);
        }
        assertThat(visitor.open(policy, "/").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORE, COOKIE})
    void a_session_ends_when_it_rests_too_long_and_in_any_case_at_its_time(String session) {
        Policy policy = policy(session + ", 'refresh': false");
        visitor.logIn(policy, provider, "/");
        for (int i = 0; i < 23; i++) {
            services.clock().advance(Duration.ofMinutes(20));
            assertThat(visitor.open(policy, "/").status()).as("after " + i).isEqualTo(200);
        }
        services.clock().advance(Duration.ofMinutes(20));
        assertThat(visitor.open(policy, "/").status()).isEqualTo(302);

        visitor.logIn(policy, provider, "/");
        services.clock().advance(Duration.ofMinutes(30));
        assertThat(visitor.open(policy, "/").status()).isEqualTo(302);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORE, COOKIE})
    void tokens_are_renewed_ahead_of_their_end_and_who_shows_the_earlier_cookie_finds_the_new_ones(String session) {
        Policy policy = policy(session + FORWARD);
        visitor.logIn(policy, provider, "/");
        var tab = new Visitor();
        tab.cookies().putAll(visitor.cookies());
        provider.answers(form -> PlayedProvider.json(200, """
                {"access_token": "at-%s", "refresh_token": "rt-1", "expires_in": 300}""".formatted(form.text("refresh_token"))));
        services.clock().advance(Duration.ofSeconds(269));
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-0");
        services.clock().advance(Duration.ofSeconds(1));

        assertThat(token(policy, visitor)).isEqualTo("Bearer at-rt-0");
        assertThat(token(policy, tab)).isEqualTo("Bearer at-rt-0");
        services.clock().advance(Duration.ofSeconds(29));
        assertThat(token(policy, tab)).isEqualTo("Bearer at-rt-0");

        assertThat(provider.asked()).hasSize(2);
        assertThat(provider.asked().get(1).text("grant_type")).isEqualTo("refresh_token");
        services.clock().advance(Duration.ofSeconds(241));
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-rt-1");
        assertThat(token(policy, tab)).isEqualTo("Bearer at-rt-1");
    }

    private static String token(Policy policy, Visitor visitor) {
        Exchange exchange = visitor.showing(navigation("GET", "/")).make();
        assertThat(visitor.open(policy, exchange).status()).isEqualTo(200);
        return exchange.headers().first("Authorization").orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {STORE, COOKIE})
    void of_many_at_once_whose_token_has_ended_one_renews_it_and_all_go_on(String session) throws Exception {
        Policy policy = policy(session + FORWARD);
        visitor.logIn(policy, provider, "/");
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        provider.answers(_ -> {
            begun.countDown();
            awaited(go);
            return PlayedProvider.json(
                    200, "{\"access_token\": \"at-1\", \"refresh_token\": \"rt-1\", \"expires_in\": 300}");
        });
        services.clock().advance(Duration.ofMinutes(5));
        var seen = new ConcurrentLinkedQueue<String>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 20; i++) {
            var tab = new Visitor();
            tab.cookies().putAll(visitor.cookies());
            threads.add(Thread.startVirtualThread(() -> seen.add(token(policy, tab))));
        }
        begun.await();
        go.countDown();
        for (Thread each : threads) each.join();

        assertThat(seen).hasSize(20).containsOnly("Bearer at-1");
        assertThat(provider.asked()).hasSize(2);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void while_a_token_still_serves_nobody_waits_for_the_one_who_renews_it() throws Exception {
        Policy policy = policy(STORE + FORWARD);
        visitor.logIn(policy, provider, "/");
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        provider.answers(_ -> {
            begun.countDown();
            awaited(go);
            return PlayedProvider.json(200, "{\"access_token\": \"at-1\", \"expires_in\": 300}");
        });
        services.clock().advance(Duration.ofSeconds(280));
        var tab = new Visitor();
        tab.cookies().putAll(visitor.cookies());
        Thread first = Thread.startVirtualThread(() -> token(policy, tab));
        begun.await();

        assertThat(token(policy, visitor)).isEqualTo("Bearer at-0");

        go.countDown();
        first.join();
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {STORE, COOKIE})
    void while_the_provider_is_away_sessions_go_on_to_their_tokens_end_and_a_while(String session) {
        Policy policy = policy(session.replace("'key'", "'stale': '2m', 'key'") + FORWARD);
        visitor.logIn(policy, provider, "/");
        provider.goesAway();
        services.clock().advance(Duration.ofSeconds(280));
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-0");
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-0");
        assertThat(provider.asked()).as("one try for a while").hasSize(2);
        services.clock().advance(Duration.ofSeconds(139));
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-0");
        services.clock().advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> token(policy, visitor)).isInstanceOf(DependencyException.class);

        provider.answers(_ -> PlayedProvider.json(200, "{\"access_token\": \"at-1\", \"expires_in\": 300}"));
        services.clock().advance(Duration.ofSeconds(5));
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-1");
    }

    @Test
    void a_refresh_token_that_is_refused_ends_the_session_and_a_client_that_is_does_not() {
        Policy policy = policy(STORE + FORWARD);
        visitor.logIn(policy, provider, "/");
        services.clock().advance(Duration.ofSeconds(280));
        provider.answers(_ -> PlayedProvider.json(401, "{\"error\": \"invalid_client\"}"));
        assertThat(token(policy, visitor)).isEqualTo("Bearer at-0");
        services.clock().advance(Duration.ofSeconds(5));
        provider.answers(_ -> PlayedProvider.json(400, "{\"error\": \"invalid_grant\"}"));

        assertThat(visitor.open(policy, "/").status()).isEqualTo(302);
        provider.answers(_ -> PlayedProvider.json(200, "{\"access_token\": \"at-1\", \"expires_in\": 300}"));
        assertThat(visitor.open(policy, "/").status()).isEqualTo(302);
    }

    @Test
    void without_a_refresh_token_a_session_ends_with_the_token_that_it_forwards() {
        Policy forwarding = policy(STORE + FORWARD + ", 'refresh': false");
        visitor.logIn(forwarding, provider, "/");
        services.clock().advance(Duration.ofSeconds(299));
        assertThat(token(forwarding, visitor)).isEqualTo("Bearer at-0");
        services.clock().advance(Duration.ofSeconds(1));
        assertThat(visitor.open(forwarding, "/").status()).isEqualTo(302);
    }

    @Test
    void who_logs_out_is_sent_to_the_provider_and_from_there_to_a_place_of_the_list_alone() {
        String places = ", 'logout': '/.auth/logout', 'postLogout': ['https://shop.example/bye', 'https://a.example/']";
        Policy policy = policy(STORE + places);
        for (String[] each : new String[][] {
            {"", "https://shop.example/bye"},
            {"?return=https%3A%2F%2Fa.example%2F", "https://a.example/"},
            {"?return=%2F%2Fevil", "https://shop.example/bye"},
            {"?return=%2F%5Cevil", "https://shop.example/bye"},
            {"?return=https%3Aevil", "https://shop.example/bye"},
            {"?return=https%3A%2F%2Fa.example%2F%0d%0aX%3A1", "https://shop.example/bye"},
            {"?return=https%3A%2F%2Fa.example%2F&return=x", "https://shop.example/bye"}
        }) {
            visitor.logIn(policy, provider, "/");
            String id = visitor.cookies().get("__Host-gw-orders");

            Response response = visitor.open(policy, "/.auth/logout" + each[0]);

            String place = response.headers().first("Location").orElseThrow();
            assertThat(place).startsWith("https://id.example/end?");
            FormParameters asked =
                    FormParameters.parse(URI.create(place).getRawQuery()).orElseThrow();
            assertThat(asked.values()).isEqualTo(Map.of("client_id", "shop", "post_logout_redirect_uri", each[1]));
            assertThat(visitor.cookies()).isEmpty();
            visitor.cookies().put("__Host-gw-orders", id);
            assertThat(visitor.open(policy, "/").status()).isEqualTo(302);
            visitor.cookies().clear();
        }
        assertThat(visitor.open(policy, "/.auth/logout").headers().first("Location"))
                .contains("https://shop.example/bye");
        assertThat(text(visitor.open(policy(STORE + ", 'logout': '/.auth/logout'"), "/.auth/logout")))
                .contains("You are logged out");
        visitor.logIn(policy, provider, "/");
        Exchanges foreign = navigation("GET", "/.auth/logout").with("Sec-Fetch-Site", "cross-site");
        assertThat(visitor.open(policy, foreign).status()).isEqualTo(403);
        assertThat(visitor.open(policy, "/").status()).isEqualTo(200);
    }

    @Test
    void the_provider_ends_sessions_by_a_logout_token_that_is_good_and_only_then() {
        Policy policy = policy(STORE + ", 'backChannelLogout': '/.auth/ended'");
        visitor.logIn(policy, provider, "/");
        String event = ", 'events': {'http://schemas.openid.net/event/backchannel-logout': {}}";
        String claims = provider.claims("n").replace(", 'nonce': 'n'", "");
        for (String bad : List.of(
                "x",
                provider.sign(claims + '}'),
                provider.sign(claims + ", 'events': {}}"),
                provider.sign(provider.claims("n") + event + '}'),
                provider.sign(claims.replace(", 'sid': 'sid-1'", "") + event + '}'),
                provider.sign(claims.replace("'shop'", "'other'") + event + '}'),
                provider.sign(claims.replaceAll("'exp': \\d+", "'exp': 1") + event + '}'),
                provider.sign("{'alg': 'none'}", claims + event + '}'),
                TokenSmith.rsa(2048, "k1").token((claims + event + '}').replace('\'', '"')))) {
            assertThat(ended(policy, bad).status()).isEqualTo(400);
        }
        assertThat(new Visitor().open(policy, "/.auth/ended").status()).isEqualTo(405);
        assertThat(visitor.open(policy, "/").status()).isEqualTo(200);
        var other = new Visitor();
        FormParameters asked = other.begin(policy, "/");
        provider.gives(
                provider.sign(provider.claims(asked.text("nonce")).replace("sid-1", "sid-2") + '}'), "at", "rt", 300);
        answer(policy, other, asked.text("state"));

        Response response = ended(
                policy, provider.sign("{'alg': 'RS256', 'typ': 'logout+jwt', 'kid': 'k1'}", claims + event + '}'));

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.headers().first("Cache-Control")).contains("no-store");
        assertThat(visitor.open(policy, "/").status()).isEqualTo(302);
        assertThat(other.open(policy, "/").status()).isEqualTo(200);
    }

    private static Response ended(Policy policy, String token) {
        return new Visitor()
                .open(
                        policy,
                        Exchanges.of("POST", "/.auth/ended")
                                .scheme("https")
                                .with("Content-Type", "application/x-www-form-urlencoded")
                                .body("logout_token=" + token));
    }

    @Test
    void one_that_is_open_to_all_is_asked_for_nothing_and_may_claim_nothing() {
        Policy policy = policy(STORE + FORWARD);
        Exchange exchange = navigation("GET", "/")
                .with("X-User", "root")
                .with("Cookie", "__Host-gw-orders=x; a=1; gw-orders~done=1")
                .make();
        exchange.waiveAuthentication();

        assertThat(visitor.open(policy, exchange).status()).isEqualTo(200);

        assertThat(exchange.consumer()).isEmpty();
        assertThat(exchange.headers().contains("X-User")).isFalse();
        assertThat(exchange.headers().all("Cookie")).containsExactly("a=1");
    }

    @Test
    void says_of_which_requests_it_is_to_decide() {
        var policy = (AuthenticationPolicy) policy(STORE);
        assertThat(policy.shownAt(request("GET").make())).isNull();
        assertThat(policy.shownAt(navigation("GET", "/").make())).isEqualTo("navigation");
        assertThat(policy.shownAt(
                        request("GET").with("Cookie", "__Host-gw-orders=x").make()))
                .isEqualTo("cookie:__Host-gw-orders");
        assertThat(policy.shownAt(request("GET").pathInApi("/.auth/callback").make()))
                .isEqualTo("path");
    }

    @Test
    void nothing_that_it_makes_shows_a_secret() {
        var policy = (OidcAuthentication) policy(STORE + FORWARD);
        visitor.logIn(policy, provider, "/");
        OpenedSession session = policy.sessions()
                .find(visitor.showing(navigation("GET", "/")).make(), policy.secure())
                .orElseThrow();

        assertThat(session.toString() + policy)
                .doesNotContain(
                        "at-0",
                        "rt-0",
                        "shop-secret",
                        "0123456789abcdef",
                        visitor.cookies().get("__Host-gw-orders"));
    }

    @Test
    void tells_what_is_wrong_with_a_definition() {
        assertThat(problems("{}"))
                .contains(
                        new ConfigProblem("/issuer", "expected text, got nothing"),
                        new ConfigProblem("/session", "expected an object, got nothing"));
        String base = "{'issuer': 'http://id.example', 'client': {'id': 'a', 'secret': {'secret': 's'}},"
                + " 'scopes': ['profile'], 'parameters': {'state': 'x'}, 'callback': 'x', 'logout': '/a//b',"
                + " 'backChannelLogout': '/.auth/b', 'session': {'in': 'cookie', 'key': {'secret': 's'}, 'cookie': 'a~b',"
                + " 'idle': '2h', 'total': '1h'}, 'forward': {'accessToken': 'Host', 'claims': {'a b': 'c'}}}";
        assertThat(problems(base))
                .extracting(ConfigProblem::pointer)
                .contains(
                        "/issuer",
                        "/scopes",
                        "/parameters/state",
                        "/callback",
                        "/logout",
                        "/backChannelLogout",
                        "/session/cookie",
                        "/session/idle",
                        "/forward/accessToken",
                        "/forward/claims/a b");
        services.secrets().put(Origin.SECRET, "cookies", "short");
        assertThatThrownBy(() -> policy(STORE)).hasMessageContaining("at least 32 bytes");
    }

    private static List<ConfigProblem> problems(String json) {
        var node = ConfigNode.of(Json.parse(json.replace('\'', '"')));
        new Oidc.Type().read(node);
        return node.problems();
    }

    private static String text(Response response) {
        return new String(response.body().bytes(1 << 16), StandardCharsets.UTF_8);
    }

    @Test
    void a_key_that_is_not_known_yet_is_fetched_once_refetch_is_over() {
        Policy policy = policy(STORE + ", 'refetch': '1s'");
        visitor.logIn(policy, provider, "/");
        provider.rotates();

        until(() -> logsIn(policy));
    }

    private boolean logsIn(Policy policy) {
        var anybody = new Visitor();
        FormParameters asked = anybody.begin(policy, "/");
        provider.gives(provider.idToken(asked.text("nonce"), ""), "at", "rt", 300);
        return answer(policy, anybody, asked.text("state")).status() == 302;
    }

    @Test
    void a_client_that_its_certificate_proves_asks_where_the_metadata_says_so() {
        provider.says(", \"mtls_endpoint_aliases\": {\"token_endpoint\": \"https://id.example/token-by-certificate\"}");
        var certified = "{'issuer': 'https://id.example', 'client': {'id': 'shop', 'method': 'tls'},"
                + " 'tls': {'certificate': '/gateway.pem'}, " + STORE + '}';
        Policy policy = compiled("orders", certified, new ClientProof.ByConnection("shop"));

        assertThat(visitor.logIn(policy, provider, "/")).isEqualTo("/");

        assertThat(provider.places()).containsExactly("/token-by-certificate");
        assertThat(provider.asked().getFirst().text("client_id")).isEqualTo("shop");
    }

    private Policy policy(String more) {
        return policyOf("orders", more);
    }

    private Policy policyOf(String api, String more) {
        String definition = "{'issuer': 'https://id.example', 'client': {'id': 'shop', 'secret': {'secret':"
                + " 'shop'}}, " + more + '}';
        return compiled(api, definition, new ClientProof.InHeader("shop", new Secret("shop-secret")));
    }

    private Policy compiled(String api, String definition, ClientProof client) {
        var node = ConfigNode.of(Json.parse(definition.replace('\'', '"')));
        Oidc oidc = new Oidc.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        Policy policy = oidc.compile(new PolicyPlace(api, "oidc"), services);
        provider.served(oidc, client);
        return policy;
    }
}
