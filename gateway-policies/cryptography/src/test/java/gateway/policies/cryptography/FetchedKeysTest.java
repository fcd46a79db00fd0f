package gateway.policies.cryptography;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.json.Json;
import gateway.policy.FakeServices;
import gateway.service.CallAnswer;
import gateway.service.CallTarget;
import gateway.service.DependencyException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FetchedKeysTest {
    private static final String HOST = "https://id.example";
    private static final TokenSmith FIRST = TokenSmith.of("RS256", "first");
    private static final TokenSmith SECOND = TokenSmith.of("RS256", "second");
    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeServices services = new FakeServices();
    private final Map<String, CallAnswer> answers = new ConcurrentHashMap<>();
    private final List<FetchedKeys> made = new ArrayList<>();

    @AfterEach
    void end() {
        made.forEach(FetchedKeys::retired);
        services.refresher().close();
    }

    @Test
    void fetches_the_set_that_the_metadata_of_openid_names() {
        serve();
        answers.put("/realms/a/.well-known/openid-configuration", metadata(HOST + "/realms/a", HOST + "/keys?x=1"));
        answers.put("/keys?x=1", ok(set(FIRST)));

        FetchedKeys keys = discovered(HOST + "/realms/a");

        assertThat(signed(keys.current(), FIRST)).isTrue();
        assertThat(services.calls().asked())
                .containsExactly(
                        "GET " + HOST + "/realms/a/.well-known/openid-configuration", "GET " + HOST + "/keys?x=1");
    }

    @Test
    void fetches_the_set_that_the_metadata_of_oauth_names_where_there_is_none_of_openid() {
        serve();
        answers.put("/.well-known/oauth-authorization-server/a", metadata(HOST + "/a/", HOST + "/keys"));
        answers.put("/keys", ok(set(FIRST)));

        assertThat(signed(discovered(HOST + "/a/").current(), FIRST)).isTrue();
    }

    @Test
    void metadata_of_another_issuer_or_without_a_safe_place_of_keys_is_none() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        for (CallAnswer wrong : List.of(
                metadata(HOST + "/", HOST + "/keys"),
                metadata("https://evil.example", HOST + "/keys"),
                metadata(HOST, "http://id.example/keys"),
                metadata(HOST, "http://127.0.0.1:9090/keys"),
                metadata(HOST, "http://[::1]/keys"),
                metadata(HOST, "https://localhost/keys"),
                metadata(HOST, "file:///etc/passwd"),
                metadata(HOST, "https://user@id.example/keys"),
                metadata(HOST, "not a url"),
                ok("{}"),
                ok("<html>"),
                new CallAnswer(302, Headers.create(), Body.EMPTY))) {
            answers.put("/.well-known/openid-configuration", wrong);
            FetchedKeys keys = discovered(HOST);

            assertThatThrownBy(keys::current).isInstanceOf(DependencyException.class);
        }
        assertThat(services.calls().asked()).noneMatch(call -> call.endsWith("/keys"));
    }

    @Test
    void what_is_no_key_set_changes_nothing() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        FetchedKeys keys = fetched(Duration.ofSeconds(1), Duration.ofHours(24));
        assertThat(signed(keys.current(), FIRST)).isTrue();
        String twice = set(SECOND).replaceFirst("\\{", "{\"keys\": [], ");
        String many = "{\"keys\": [" + "{},".repeat(JwkReader.MOST_KEYS) + "{}]}";
        for (String wrong : List.of("<html>", "", "[]", "{}", "{\"keys\": 1}", twice, many, "x".repeat(10 << 20))) {
            answers.put("/keys", ok(wrong));

            newerFails(keys);
            assertThat(signed(keys.current(), FIRST)).isTrue();
        }
    }

    @Test
    void nor_for_who_wants_other_keys_of_it() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        String many = "{\"keys\": [" + "{},".repeat(JwkReader.MOST_KEYS) + "{}]}";
        for (String wrong : List.of("[]", "{}", "{\"message\": \"maintenance\"}", "{\"keys\": 1}", many)) {
            FetchedSet set = unread();
            assertThat(set.current()).isEqualTo(Json.parse(set(FIRST)));
            answers.put("/keys", ok(wrong));

            long before = services.refresher().failures();
            set.served(); // fetches anew, as a reload does
            while (services.refresher().failures() == before) Thread.onSpinWait();
            assertThat(set.current()).isEqualTo(Json.parse(set(FIRST)));
            set.retired();
            answers.put("/keys", ok(set(FIRST)));
        }
    }

    @Test
    void a_set_without_a_key_that_can_be_used_judges_nobody_and_is_asked_for_again() {
        serve();
        for (String none : List.of("", "{}", "{\"kty\": \"RSA\", \"n\": \"AQAB\", \"e\": \"AQAB\"}")) {
            answers.put("/keys", ok("{\"keys\": [" + none + "]}"));
            FetchedKeys keys = fetched(Duration.ofSeconds(1), Duration.ofHours(24));
            assertThatThrownBy(keys::current)
                    .isInstanceOf(DependencyException.class)
                    .hasMessageContaining("none of its keys can be used");

            answers.put("/keys", ok(set(FIRST)));
            while (!isSigned(keys, FIRST)) Thread.onSpinWait(); // a second after the first
            answers.put("/keys", ok("{\"keys\": []}"));
            keys.served();
            while (isSigned(keys, FIRST)) Thread.onSpinWait(); // it is withdrawn
        }
    }

    private static boolean isSigned(FetchedKeys keys, TokenSmith smith) {
        try {
            return signed(keys.current(), smith);
        } catch (DependencyException e) {
            return false;
        }
    }

    private FetchedSet unread() {
        URI url = URI.create(HOST + "/keys");
        CallTarget target = CallTarget.of(KeyUrls.origin(url));
        var origin = new KeyOrigin.Server(url, false, false, target, HOUR, Duration.ofHours(24), HOUR);
        var timeout = Duration.ofSeconds(20);
        var fetch = new KeyFetch(origin, services.calls(), services.calls().to(target, ""), timeout);
        FetchedSet set =
                FetchedSet.create(new FetchedSet.Id(origin, timeout), fetch, services.refresher(), services.clock());
        set.served();
        return set;
    }

    /// Until a load has failed that saw what is served now.
    private void newerFails(FetchedKeys keys) {
        long before = services.refresher().failures();
        while (services.refresher().failures() == before) {
            try {
                keys.newer(keys.current());
            } catch (DependencyException e) {
                // as it should be
            }
        }
        assertThatThrownBy(() -> keys.newer(keys.current())).isInstanceOf(DependencyException.class);
    }

    @Test
    void a_key_that_is_new_is_found_by_one_fetch_more() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        FetchedKeys keys = fetched(Duration.ofSeconds(1), Duration.ofHours(24));
        keys.current();
        answers.put("/keys", ok(set(FIRST, SECOND)));
        while (!signed(keys.current(), SECOND))
            assertThat(keys.newer(keys.current())).isNotNull(); // a second after the first

        assertThat(services.calls().asked()).hasSize(2);
    }

    @Test
    void who_was_judged_by_the_last_keys_finds_those_that_came_meanwhile_however_young_they_are() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        FetchedKeys keys = fetched(HOUR, Duration.ofHours(24));
        KeySet seen = keys.current();
        answers.put("/keys", ok(set(FIRST, SECOND)));
        keys.served(); // fetches anew, as a reload does
        while (!signed(keys.current(), SECOND)) Thread.onSpinWait();

        assertThat(keys.newer(seen)).contains(keys.current());
        assertThat(keys.newer(keys.current())).isEmpty();
        assertThat(services.calls().asked()).hasSize(2);
    }

    @Test
    void made_up_keys_cause_one_fetch_in_a_while() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        FetchedKeys keys = fetched(HOUR, Duration.ofHours(24));
        keys.current();

        for (int i = 0; i < 1_000; i++) assertThat(keys.newer(keys.current())).isEmpty();

        assertThat(services.calls().asked()).hasSize(1);
    }

    @Test
    void those_who_come_before_the_first_keys_wait_for_them() throws Exception {
        var asked = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        services.calls().serve(HOST, request -> {
            asked.countDown();
            await(over);
            return ok(set(FIRST));
        });
        FetchedKeys keys = fetched(HOUR, Duration.ofHours(24));
        asked.await();
        var found = new ConcurrentHashMap<Integer, Boolean>();
        var waiting = new ArrayList<Thread>();
        for (int i = 0; i < 50; i++) {
            int number = i;
            waiting.add(Thread.startVirtualThread(() -> found.put(number, signed(keys.current(), FIRST))));
        }

        over.countDown();
        for (Thread each : waiting) each.join();

        assertThat(found.values()).hasSize(50).containsOnly(true);
        assertThat(services.calls().asked()).hasSize(1);
    }

    @Test
    void keys_serve_while_their_server_is_away_until_they_are_too_old() {
        serve();
        answers.put("/keys", ok(set(FIRST)));
        FetchedKeys keys = fetched(HOUR, Duration.ofHours(24));
        assertThat(signed(keys.current(), FIRST)).isTrue();
        answers.clear();

        services.clock().advance(Duration.ofHours(24));
        assertThat(signed(keys.current(), FIRST)).isTrue();

        services.clock().advance(Duration.ofMillis(1));
        assertThatThrownBy(keys::current)
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("its keys cannot be had");
    }

    private void serve() {
        services.calls().serve(HOST, request -> answers.getOrDefault(request.path(), notFound()));
    }

    private FetchedKeys discovered(String issuer) {
        return fetched(URI.create(issuer), true, HOUR, Duration.ofHours(24));
    }

    private FetchedKeys fetched(Duration refetch, Duration stale) {
        return fetched(URI.create(HOST + "/keys"), false, refetch, stale);
    }

    private FetchedKeys fetched(URI url, boolean discovered, Duration refetch, Duration stale) {
        CallTarget target = CallTarget.of(KeyUrls.origin(url));
        var origin = new KeyOrigin.Server(url, discovered, false, target, HOUR, stale, refetch);
        var timeout = Duration.ofSeconds(20);
        var fetch = new KeyFetch(origin, services.calls(), services.calls().to(target, ""), timeout);
        FetchedKeys keys =
                FetchedKeys.create(new FetchedKeys.Id(origin, timeout), fetch, services.refresher(), services.clock());
        keys.served();
        made.add(keys);
        return keys;
    }

    private record Signed(String keyId, String content, String signature) implements SignedContent {
        @Override
        public SigningAlgorithm algorithm() {
            return SigningAlgorithm.RS256;
        }

        @Override
        public byte[] signed() {
            return content.getBytes(StandardCharsets.US_ASCII);
        }
    }

    private static boolean signed(KeySet keys, TokenSmith smith) {
        String token = smith.token("{}");
        int end = token.lastIndexOf('.');
        var content = new Signed(smith.keyId(), token.substring(0, end), token.substring(end + 1));
        return keys.signer(content).isPresent();
    }

    private static String set(TokenSmith... smiths) {
        var keys = new ArrayList<String>();
        for (TokenSmith each : smiths) keys.add(each.jwk());
        return "{\"keys\": [" + String.join(", ", keys) + "]}";
    }

    private static CallAnswer metadata(String issuer, String keys) {
        return ok("{\"issuer\": \"" + issuer + "\", \"jwks_uri\": \"" + keys + "\"}");
    }

    private static CallAnswer ok(String text) {
        return new CallAnswer(200, Headers.create(), Body.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static CallAnswer notFound() {
        return new CallAnswer(404, Headers.create(), Body.EMPTY);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
