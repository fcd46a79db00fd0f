package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.json.Json;
import gateway.policies.cryptography.TokenSmith;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Keycloak itself before whole gateways: its tokens, its introspection, its logins with a real browser, its
/// exchange of tokens, its assertions.
@Tag("proofs")
@Timeout(400)
final class KeycloakTest {
    private static Keycloak keycloak;

    @TempDir
    private Path data;

    @BeforeAll
    static void start(@TempDir Path folder) {
        keycloak = Keycloak.start(folder);
        keycloak.addClient("caller", "orders", "");
        keycloak.addClient("gateway", "gateway", "");
    }

    @AfterAll
    static void stop() {
        if (keycloak != null) keycloak.close();
    }

    @Test
    void no_good_token_is_refused_while_a_hundred_connections_ask_and_the_realms_keys_are_rotated() throws Exception {
        try (GuardedGateway gateway = GuardedGateway.start(data, jwt("orders", ", \"cacheFor\": \"0s\""), Map.of());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            String first = keycloak.token("caller");
            assertThat(gateway.status(first)).isEqualTo(200);
            var tokens = new CopyOnWriteArrayList<>(List.of(first));
            var refused = new CopyOnWriteArrayList<Integer>();
            var done = new AtomicInteger();
            var over = new AtomicBoolean();
            var under = new ArrayList<Future<?>>();
            for (int i = 0; i < 100; i++) {
                int number = i;
                under.add(callers.submit(() -> {
                    while (!over.get()) {
                        int status = gateway.status(number % 2 == 0 ? tokens.getLast() : tokens.getFirst());
                        if (status != 200) refused.add(status);
                        done.incrementAndGet();
                    }
                }));
            }

            try {
                for (int i = 0; i < 5; i++) {
                    awaitSecond(); // so often an unknown key may be asked for
                    keycloak.rotate();
                    tokens.add(keycloak.token("caller"));
                    int number = done.get() + 500;
                    until(() -> done.get() >= number);
                }
            } finally {
                over.set(true);
            }

            for (Future<?> each : under) each.get();
            assertThat(refused).isEmpty();
            assertThat(tokens.stream().map(KeycloakTest::keyOf)).doesNotHaveDuplicates();

            awaitSecond();
            keycloak.rotate();
            keycloak.forgetOldKeys();
            assertThat(gateway.status(keycloak.token("caller"))).isEqualTo(200);
            assertThat(gateway.status(first)).isEqualTo(401); // its key is told no more
        }
    }

    private static String keyOf(String token) {
        return token.substring(0, token.indexOf('.'));
    }

    private static void awaitSecond() {
        awaitMillis(1_050);
    }

    private static void awaitMillis(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        until(() -> System.nanoTime() - end >= 0);
    }

    private static String jwt(String audience, String more) {
        return """
                {"type": "jwt", "issuers": [{"name": "corp", "issuer": "%s", "discovery": true, "refetch": "1s",
                    "audiences": ["%s"], "algorithms": ["RS256"]}],
                 "consumer": {"tags": "/realm_access/roles"}%s}""".formatted(keycloak.issuer(), audience, more);
    }

    @Test
    void tokens_of_callers_and_of_people_pass_while_keycloak_calls_them_active_and_only_for_their_audience()
            throws Exception {
        keycloak.addClient("stranger", "invoices", "");
        try (GuardedGateway gateway = GuardedGateway.start(
                data,
                """
                {"type": "oauth2-introspection", "url": "%s", "audiences": ["orders"], "cacheFor": "0s",
                 "negativeCacheFor": "0s", "timeout": "1s",
                 "client": {"id": "gateway", "secret": {"env": "GATEWAY_SECRET_GATEWAY"}},
                 "consumer": {"tags": "/realm_access/roles"}}""".formatted(keycloak.openId("token/introspect")),
                Map.of("GATEWAY_SECRET_GATEWAY", "gateway-secret"))) {
            String caller = keycloak.token("caller");
            String alice = keycloak.tokenOfAlice("caller");
            assertThat(List.of(gateway.status(caller), gateway.status(alice))).containsOnly(200);
            assertThat(gateway.status(keycloak.token("stranger"))).isEqualTo(401);
            assertThat(gateway.status(caller + "x")).isEqualTo(401);

            keycloak.revoke("caller", caller);
            keycloak.endSessionsOfAlice();
            assertThat(List.of(gateway.status(caller), gateway.status(alice))).containsOnly(401);

            String good = keycloak.token("caller");
            keycloak.freeze(true);
            try {
                for (int i = 0; i < 3; i++) assertThat(gateway.status(good)).isEqualTo(503);
            } finally {
                keycloak.freeze(false);
            }
            Recovery.withinASecond(() -> gateway.status(good) == 200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "cookie"})
    void a_person_logs_in_has_the_tokens_renewed_and_logs_out(String in) {
        try (var shop = new Shop(in, "");
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            shop.logIn(chromium, "/books?page=2");
            assertThat(shop.gateway.arrived()).anyMatch(headers -> headers.contains("X-user=[alice]"));
            assertThat(chromium.run("return document.cookie").stringValue()).isEmpty(); // no script sees the session

            String first = token(shop.gateway.arrived().getLast());
            until(() -> fetch(chromium) == 200
                    && !token(shop.gateway.arrived().getLast()).equals(first));
            JsonNode statuses = chromium.run("""
                    return Promise.all(Array.from({length: 20}, (_, i) => fetch('/' + i).then(r => r.status)))""");
            assertThat(statuses.values()).hasSize(20).allMatch(status -> status.intValue() == 200);

            chromium.open(shop.origin + "/.auth/logout");
            until(() -> chromium.place().startsWith(keycloak.issuer()), chromium::place);
            chromium.click("#kc-logout");
            until(() -> chromium.place().startsWith(keycloak.openId("auth")), chromium::place); // from /bye, logged out
        }
    }

    @Test
    void a_person_whose_session_keycloak_has_ended_is_logged_out_at_the_gateway() {
        int life = 3600; // so no renewal finds out
        try (var shop = new Shop("store", ", \"backChannelLogout\": \"/.auth/ended\"", life);
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            shop.logIn(chromium, "/");
            assertThat(fetch(chromium)).isEqualTo(200);

            keycloak.endSessionsOfAlice();

            assertThat(fetch(chromium)).isEqualTo(401);
        }
    }

    @Test
    void a_person_logs_in_by_a_key_that_keycloak_signs_with_since_the_last_look() {
        try (var shop = new Shop("store", "");
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            shop.logIn(chromium, "/");
            awaitMillis(31_000); // so often an unknown key may be asked for
            keycloak.endSessionsOfAlice();
            keycloak.rotate();

            shop.logIn(chromium, "/again");

            assertThat(fetch(chromium)).isEqualTo(200);
        }
    }

    /// A gateway that people log in at, with a client of its own.
    private final class Shop implements AutoCloseable {
        private final int port = FreePort.take();
        private final String origin = "http://localhost:" + port;
        private final GuardedGateway gateway;

        Shop(String in, String more) {
            this(in, more, 4);
        }

        /// @param life of an access token, in seconds
        Shop(String in, String more, int life) {
            String id = "shop-" + port;
            keycloak.addClient(id, "shop", """
                    , "redirectUris": ["%1$s/.auth/callback"], "attributes": {
                        "access.token.lifespan": "%2$d", "post.logout.redirect.uris": "%1$s/bye",
                        "backchannel.logout.url": "%1$s/.auth/ended", "backchannel.logout.session.required": "true"}""".formatted(origin, life));
            var settings = new HashMap<>(Map.of(
                    "GATEWAY_SECRET_SHOP",
                    id + "-secret",
                    "GATEWAY_SECRET_COOKIES",
                    "0123456789abcdef0123456789abcdef"));
            settings.put("GATEWAY_LISTEN", "127.0.0.1:" + port);
            this.gateway = GuardedGateway.start(
                    data.resolve("gateway"), """
                    {"type": "oidc", "issuer": "%s", "scopes": ["openid", "profile"],
                     "client": {"id": "%s", "secret": {"env": "GATEWAY_SECRET_SHOP"}},
                     "session": {"in": "%s", "key": {"env": "GATEWAY_SECRET_COOKIES"}},
                     "logout": "/.auth/logout", "postLogout": ["%s/bye"],
                     "forward": {"accessToken": "X-Access-Token", "claims": {"X-User": "preferred_username"}}%s}""".formatted(keycloak.issuer(), id, in, origin, more), settings);
        }

        void logIn(Chromium chromium, String target) {
            chromium.open(origin + target);
            until(() -> chromium.place().startsWith(keycloak.openId("auth")), chromium::place);
            sayWho(chromium);
            until(() -> chromium.place().equals(origin + target), chromium::place);
        }

        @Override
        public void close() {
            gateway.close();
        }
    }

    private static void sayWho(Chromium chromium) {
        chromium.type("#username", "alice");
        chromium.type("#password", "wonderland");
        chromium.click("#kc-login");
    }

    private static int fetch(Chromium chromium) {
        return chromium.run("return fetch('/').then(response => response.status)")
                .intValue();
    }

    private static String token(String headers) {
        return headers.replaceAll(".*X-access-token=\\[([^]]+)].*", "$1");
    }

    @Test
    void upstreams_are_shown_tokens_of_the_gateways_own_and_such_that_were_exchanged_for_the_callers() {
        keycloak.addClient("backend", "backend", "");
        keycloak.addClient("exchanger", "backend", ", \"attributes\": {\"standard.token.exchange.enabled\": \"true\"}");
        keycloak.addClient("front", "exchanger", "");
        var settings = Map.of(
                "GATEWAY_SECRET_CALLER", "caller-secret",
                "GATEWAY_SECRET_EXCHANGER", "exchanger-secret");
        String exchange = jwt("exchanger", ", \"forwardCredential\": true") + ", "
                + oauth2("exchanger", ", \"grant\": \"token-exchange\", \"audience\": \"backend\"");
        try (GuardedGateway own = GuardedGateway.start(data.resolve("own"), oauth2("caller", ""), settings);
                GuardedGateway exchanging = GuardedGateway.start(data.resolve("exchange"), exchange, settings);
                GuardedGateway orders = GuardedGateway.start(data.resolve("orders"), jwt("orders", ""), Map.of());
                GuardedGateway backend = GuardedGateway.start(
                        data.resolve("backend"),
                        jwt("backend", ", \"requireClaims\": {\"preferred_username\": [\"alice\"]}"),
                        Map.of())) {
            assertThat(own.status("")).isEqualTo(200);
            assertThat(orders.status(shown(own))).isEqualTo(200);

            String alice = keycloak.tokenOfAlice("front");
            assertThat(backend.status(alice)).isEqualTo(401);
            assertThat(exchanging.status(alice)).isEqualTo(200);
            assertThat(backend.status(shown(exchanging))).isEqualTo(200);
            assertThat(exchanging.status(keycloak.tokenOfAlice("caller"))).isEqualTo(401); // for orders
        }
    }

    private static String shown(GuardedGateway gateway) {
        return gateway.arrived().getLast().replaceAll(".*Authorization=\\[Bearer ([^]]+)].*", "$1");
    }

    private static String oauth2(String client, String more) {
        return """
                {"type": "upstream-auth", "oauth2": {"tokenUrl": "%1$s",
                 "client": {"id": "%2$s", "secret": {"env": "GATEWAY_SECRET_%3$s"}}%4$s}}""".formatted(keycloak.openId("token"), client, client.toUpperCase(Locale.ROOT), more);
    }

    @Test
    void a_gateway_that_a_key_proves_gets_tokens_and_verdicts_and_logs_people_in() {
        TokenSmith smith = TokenSmith.of("ES256", "gateway-1");
        int port = FreePort.take();
        String origin = "http://localhost:" + port;
        keycloak.addClient("signer", "orders", proven(smith, origin));
        var settings = new HashMap<>(Map.of(
                "GATEWAY_SECRET_KEY", smith.pairPem(),
                "GATEWAY_SECRET_OTHER", TokenSmith.of("ES256", "gateway-1").pairPem(),
                "GATEWAY_SECRET_COOKIES", "0123456789abcdef0123456789abcdef"));
        try (GuardedGateway own = GuardedGateway.start(data.resolve("own"), shownBySigner("KEY"), settings);
                GuardedGateway other = GuardedGateway.start(data.resolve("other"), shownBySigner("OTHER"), settings);
                GuardedGateway usual = GuardedGateway.start(data.resolve("usual"), judgedBySigner(""), settings);
                GuardedGateway named = GuardedGateway.start(
                        data.resolve("named"),
                        judgedBySigner(", \"audience\": \"" + keycloak.issuer() + '"'),
                        settings);
                GuardedGateway wrong = GuardedGateway.start(
                        data.resolve("wrong"),
                        judgedBySigner(", \"audience\": \"https://id.example.com\""),
                        settings)) {
            assertThat(own.status("")).isEqualTo(200);
            assertThat(other.status("")).isEqualTo(503);

            String token = shown(own);
            for (GuardedGateway each : List.of(usual, named)) {
                assertThat(each.status(token)).isEqualTo(200);
                assertThat(each.status(token)).isEqualTo(200); // asked again, by another assertion
                assertThat(each.status(token + "x")).isEqualTo(401);
            }
            assertThat(wrong.status(token)).isEqualTo(503);
        }
        settings.put("GATEWAY_LISTEN", "127.0.0.1:" + port);
        try (GuardedGateway shop = GuardedGateway.start(
                        data.resolve("shop"), """
                        {"type": "oidc", "issuer": "%s", "client": %s,
                         "session": {"key": {"env": "GATEWAY_SECRET_COOKIES"}}}""".formatted(keycloak.issuer(), signer("KEY", "")), settings);
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            chromium.open(origin + "/books");
            until(() -> chromium.place().startsWith(keycloak.openId("auth")), chromium::place);
            sayWho(chromium);
            until(() -> chromium.place().equals(origin + "/books"), chromium::place);

            assertThat(fetch(chromium)).isEqualTo(200);
            assertThat(shop.arrived()).isNotEmpty();
        }
    }

    /// Keycloak looks for the keys that are for signatures, and says nothing else of them.
    private static String proven(TokenSmith smith, String origin) {
        String keys = "{\"keys\": [" + smith.jwk().replaceFirst("\\{", "{\"use\": \"sig\", ") + "]}";
        return """
                , "clientAuthenticatorType": "client-jwt", "redirectUris": ["%s/.auth/callback"],
                "attributes": {"use.jwks.string": "true", "jwks.string": %s}""".formatted(origin, Json.compact(Json.mapper().getNodeFactory().stringNode(keys)));
    }

    private static String signer(String key, String more) {
        return """
                {"id": "signer", "method": "private-key-jwt", "keyId": "gateway-1",
                 "key": {"env": "GATEWAY_SECRET_%s"}%s}""".formatted(key, more);
    }

    private static String shownBySigner(String key) {
        return "{\"type\": \"upstream-auth\", \"oauth2\": {\"tokenUrl\": \"" + keycloak.openId("token")
                + "\", \"client\": " + signer(key, "") + "}}";
    }

    private static String judgedBySigner(String more) {
        return """
                {"type": "oauth2-introspection", "url": "%s", "audiences": ["orders"], "cacheFor": "0s",
                 "timeout": "5s", "client": %s}""".formatted(keycloak.openId("token/introspect"), signer("KEY", more));
    }

    @Test
    void a_person_brings_an_assertion_that_keycloak_has_signed_and_its_keys_are_found_by_its_metadata() {
        int port = FreePort.take();
        String place = "http://127.0.0.1:" + port + "/";
        keycloak.addSamlClient("urn:orders", "orders", place);
        try (GuardedGateway gateway = GuardedGateway.start(
                        data.resolve("gateway"),
                        """
                        {"type": "saml", "from": "form", "audience": "urn:orders", "recipient": "%s",
                         "trust": {"issuer": "%s", "metadataUrl": "%s", "refetch": "1s"}}""".formatted(place, keycloak.issuer(), keycloak.issuer() + "/protocol/saml/descriptor"),
                        Map.of("GATEWAY_LISTEN", "127.0.0.1:" + port));
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            chromium.open(keycloak.issuer() + "/protocol/saml/clients/orders");
            sayWho(chromium);

            until(() -> chromium.place().equals(place), chromium::place);
            until(() -> gateway.bodies().size() == 1, chromium::text);
            assertThat(gateway.bodies().getFirst()).startsWith("SAMLResponse=");

            awaitSecond();
            keycloak.rotate();
            chromium.open(keycloak.issuer() + "/protocol/saml/clients/orders"); // who is still logged in there
            until(() -> gateway.bodies().size() == 2, chromium::text);
        }
    }
}
