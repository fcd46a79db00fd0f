package gateway.policies.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policy.FakeServices;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.CallAnswer;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class UpstreamAuthTest {
    private static final String SERVER = "https://id.example.com";
    private static final String OAUTH2 = """
            {'oauth2': {'tokenUrl': 'https://id.example.com/token', 'client': {'id': 'gw', 'secret': {'secret': 'gw'}}%s}}""";

    private final FakeServices services = new FakeServices();
    private final List<String> forms = new CopyOnWriteArrayList<>();
    private volatile String answer = "{\"access_token\": \"t%d\", \"token_type\": \"Bearer\", \"expires_in\": 60}";
    private volatile int status = 200;

    @BeforeEach
    void secrets() {
        services.secrets().put(Origin.SECRET, "gw", "s3cret:/");
        services.secrets().put(Origin.SECRET, "key", "k1 & more");
        services.calls().serve(SERVER, request -> {
            String client = request.headers().first("Authorization").orElse("");
            forms.add(new String(request.body().bytes(10_000), StandardCharsets.UTF_8) + ' ' + client);
            byte[] content = answer.formatted(forms.size()).getBytes(StandardCharsets.UTF_8);
            return new CallAnswer(status, Headers.create(), Body.of(content));
        });
    }

    @Test
    void shows_a_user_and_a_password_in_the_place_of_what_the_client_has_sent() {
        Exchange exchange =
                Exchanges.get("/").with("Authorization", "Bearer of-the-client").make();

        pass(policy("{'basic': {'user': 'alice', 'password': {'secret': 'gw'}}}"), exchange);

        assertThat(exchange.outgoing().headers().all("Authorization")).containsExactly("Basic YWxpY2U6czNjcmV0Oi8=");
    }

    @Test
    void shows_a_key_in_a_header_or_in_the_query_where_the_clients_own_goes() {
        Exchange exchange =
                Exchanges.get("/?a=b&api_key=mine&c=d").with("X-Key", "mine").make();

        pass(policy("{'apiKey': {'header': 'X-Key', 'value': {'secret': 'key'}}}"), exchange);
        pass(policy("{'apiKey': {'query': 'api_key', 'value': {'secret': 'key'}}}"), exchange);

        assertThat(exchange.outgoing().headers().all("X-Key")).containsExactly("k1 & more");
        assertThat(exchange.outgoing().query()).isEqualTo("a=b&c=d&api_key=k1%20%26%20more");
    }

    @Test
    void shows_a_standing_bearer_token() {
        Exchange exchange = Exchanges.get("/").make();

        pass(policy("{'bearer': {'token': {'secret': 'gw'}}}"), exchange);

        assertThat(exchange.outgoing().headers().all("Authorization")).containsExactly("Bearer s3cret:/");
    }

    @Test
    void a_secret_that_cannot_be_shown_is_refused_without_being_told() {
        services.secrets().put(Origin.SECRET, "bad", "line\r\nX-Admin: 1");

        for (String json : List.of(
                "{'apiKey': {'header': 'X-Key', 'value': {'secret': 'bad'}}}",
                "{'bearer': {'token': {'secret': 'bad'}}}",
                "{'bearer': {'token': {'secret': 'key'}}}")) {
            assertThatThrownBy(() -> policy(json))
                    .isInstanceOf(InvalidConfigException.class)
                    .message()
                    .doesNotContain("X-Admin", "k1");
        }
    }

    @Test
    void a_token_is_fetched_once_and_shown_by_every_request_until_shortly_before_its_end() {
        Policy policy = policy(OAUTH2.formatted(", 'scopes': ['b', 'a'], 'audience': 'orders'"));

        assertThat(shown(policy)).isEqualTo("Bearer t1");
        services.clock().advance(Duration.ofSeconds(29));
        assertThat(shown(policy)).isEqualTo("Bearer t1");

        assertThat(forms)
                .singleElement()
                .satisfies(form -> assertThat(form)
                        .contains("grant_type=client_credentials", "scope=a+b", "audience=orders")
                        .endsWith(" Basic Z3c6czNjcmV0JTNBJTJG") // form-encoded first: RFC 6749 §2.3.1
                        .doesNotContain("client_secret"));
    }

    @Test
    void the_secret_may_stand_in_the_form_and_a_user_may_be_asked_for() {
        String json = "{'oauth2': {'tokenUrl': 'https://id.example.com/token', 'grant': 'password', 'user': 'robot',"
                + " 'password': {'secret': 'key'}, 'client': {'id': 'gw', 'method': 'post', 'secret': {'secret': 'gw'}}}}";

        assertThat(shown(policy(json))).isEqualTo("Bearer t1");

        assertThat(forms)
                .singleElement()
                .satisfies(form -> assertThat(form.strip().split("&"))
                        .containsExactlyInAnyOrder(
                                "grant_type=password",
                                "username=robot",
                                "password=k1+%26+more",
                                "client_id=gw",
                                "client_secret=s3cret%3A%2F"));
    }

    @Test
    void before_its_end_it_is_renewed_behind_the_requests_which_go_on_with_the_old_one() {
        Policy policy = policy(OAUTH2.formatted(""));
        assertThat(shown(policy)).isEqualTo("Bearer t1");
        services.clock().advance(Duration.ofSeconds(31));

        assertThat(shown(policy)).isIn("Bearer t1", "Bearer t2");

        untilShown(policy, "Bearer t2");
        assertThat(forms).hasSize(2);
    }

    @Test
    void a_token_at_hand_serves_to_its_end_while_the_server_is_away_and_none_is_an_outage() {
        Policy policy = policy(OAUTH2.formatted(""));
        shown(policy);
        status = 500;
        services.clock().advance(Duration.ofSeconds(59));

        assertThat(shown(policy)).isEqualTo("Bearer t1");
        services.clock().advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> shown(policy)).isInstanceOf(DependencyException.class);

        status = 200;
        services.clock().advance(Duration.ofSeconds(1));
        untilShown(policy, "Bearer t" + (forms.size() + 1));
    }

    @Test
    void while_the_server_is_away_ten_thousand_requests_make_one_call() {
        status = 503;
        Policy policy = policy(OAUTH2.formatted(""));

        for (int i = 0; i < 10_000; i++)
            assertThatThrownBy(() -> shown(policy)).isInstanceOf(DependencyException.class);

        assertThat(forms).hasSize(1);
        services.clock().advance(Duration.ofMillis(50));
        assertThatThrownBy(() -> shown(policy)).isInstanceOf(DependencyException.class);
        assertThat(forms).hasSize(2);
    }

    @Test
    void a_hundred_that_come_at_once_wait_for_one_call_together() throws InterruptedException {
        var release = new CountDownLatch(1);
        var calls = new CopyOnWriteArrayList<String>();
        services.calls().serve(SERVER, request -> {
            calls.add(request.path());
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new CallAnswer(
                    200, Headers.create(), Body.of("{\"access_token\": \"t\"}".getBytes(StandardCharsets.UTF_8)));
        });
        Policy policy = policy(OAUTH2.formatted(", 'timeout': '30s'"));
        var shown = new CopyOnWriteArrayList<String>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 100; i++) threads.add(Thread.startVirtualThread(() -> shown.add(shown(policy))));

        release.countDown();
        for (Thread each : threads) each.join();

        assertThat(shown).hasSize(100).containsOnly("Bearer t");
        assertThat(calls).containsExactly("/token");
    }

    @Test
    void a_token_that_the_upstream_does_not_take_is_dropped_once_and_not_again_for_ten_seconds() {
        Policy policy = policy(OAUTH2.formatted(""));
        var refusal = Response.of(401);

        assertThat(followup(policy).again(Response.of(403))).isFalse();
        Followup first = followup(policy);
        assertThat(first.again(refusal)).isTrue();
        assertThat(first.again(refusal)).isTrue(); // another request with the same token: there is a newer one

        assertThat(shown(policy)).isEqualTo("Bearer t2");
        assertThat(followup(policy).again(refusal)).isFalse();
        services.clock().advance(Duration.ofSeconds(10));
        assertThat(followup(policy).again(refusal)).isTrue();
    }

    @Test
    void policies_with_equal_terms_share_a_token_and_others_do_not() {
        Policy one = policy(OAUTH2.formatted(", 'scopes': ['a', 'b']"));
        Policy same = policy(OAUTH2.formatted(", 'scopes': ['b', 'a']"));
        Policy other = policy(OAUTH2.formatted(", 'scopes': ['a']"));

        assertThat(List.of(shown(one), shown(same), shown(other)))
                .containsExactly("Bearer t1", "Bearer t1", "Bearer t2");

        services.secrets().put(Origin.SECRET, "gw", "rotated");
        assertThat(shown(policy(OAUTH2.formatted(", 'scopes': ['a', 'b']")))).isEqualTo("Bearer t3");
    }

    @Test
    void an_answer_that_is_no_token_is_an_outage_and_nothing_of_it_is_shown() {
        for (String odd : List.of(
                "{\"access_token\": \"a\\r\\nX-Admin: 1\"}",
                "{\"access_token\": \"a b\"}",
                "{\"access_token\": \"\"}",
                "{\"access_token\": 7}",
                "{}",
                "[]",
                "no json",
                "{\"access_token\": \"a\", \"access_token\": \"b\"}",
                "{\"access_token\": \"a\", \"token_type\": \"mac\"}",
                "{\"access_token\": \"a\", \"expires_in\": -1}",
                "{\"access_token\": \"a\", \"expires_in\": 1.5}",
                "{\"access_token\": \"a\", \"expires_in\": \"soon\"}",
                "{\"access_token\": \"" + "a".repeat(20_000) + "\"}",
                "{\"access_token\": \"" + "a".repeat(1 << 20) + "\"}")) {
            answer = odd;
            services.clock().advance(Duration.ofMinutes(1));
            assertThatThrownBy(() -> shown(policy(OAUTH2.formatted(""))))
                    .as(odd.substring(0, Math.min(60, odd.length())))
                    .isInstanceOf(DependencyException.class)
                    .message()
                    .doesNotContain("X-Admin");
        }
    }

    @Test
    void a_life_is_five_minutes_unless_told_and_may_be_told_as_text() {
        answer = "{\"access_token\": \"t%d\"}";
        Policy policy = policy(OAUTH2.formatted(""));
        shown(policy);
        services.clock().advance(Duration.ofSeconds(269));
        assertThat(shown(policy)).isEqualTo("Bearer t1");

        answer = "{\"access_token\": \"t%d\", \"expires_in\": \"3600\"}";
        services.clock().advance(Duration.ofSeconds(40));
        untilShown(policy, "Bearer t2");
        services.clock().advance(Duration.ofMinutes(50));
        assertThat(shown(policy)).isEqualTo("Bearer t2");
    }

    @Test
    void what_a_server_says_to_a_refused_client_is_told_by_its_code_alone() {
        status = 401;
        answer = "{\"error\": \"invalid_client\", \"error_description\": \"secret s3cret is wrong\"}";

        assertThatThrownBy(() -> shown(policy(OAUTH2.formatted(""))))
                .hasMessage("https://id.example.com: gives no token, 401: invalid_client");
    }

    @Test
    void bad_input_is_told_under_its_pointer() {
        assertThat(problems("{}"))
                .containsExactly(
                        "/: expected one of \"basic\", \"apiKey\", \"bearer\", \"oauth2\", \"jwt\", \"aws\" and \"signature\", got 0");
        assertThat(problems(
                        "{'bearer': {'token': {'secret': 'a'}}, 'basic': {'user': 'a', 'password': {'secret': 'a'}}}"))
                .containsExactly(
                        "/: expected one of \"basic\", \"apiKey\", \"bearer\", \"oauth2\", \"jwt\", \"aws\" and \"signature\", got 2");
        assertThat(problems("{'basic': {'user': 'a:b', 'password': ['clear']}}"))
                .anyMatch(each -> each.startsWith("/basic/user: expected"))
                .anyMatch(each -> each.startsWith("/basic/password: expected"))
                .noneMatch(each -> each.contains("clear"));
        assertThat(problems("{'apiKey': {'header': 'Content-Length', 'value': {'secret': 'a'}}}"))
                .containsExactly("/apiKey/header: the gateway writes Content-Length itself");
        assertThat(problems("{'apiKey': {'header': 'A', 'query': 'b', 'value': {'secret': 'a'}}}"))
                .containsExactly("/apiKey: expected either \"header\" or \"query\", got both");
        assertThat(problems("{'oauth2': {'tokenUrl': 'http://id.example.com/t', 'user': 'a', 'scopes': ['a b'],"
                        + " 'client': {'id': 'gw', 'secret': {'secret': 'a'}, 'method': 'tls'}}}"))
                .anyMatch(each -> each.startsWith("/oauth2/tokenUrl: expected https://"))
                .anyMatch(each -> each.startsWith("/oauth2/user: expected only with"))
                .anyMatch(each -> each.startsWith("/oauth2/scopes/0: expected"))
                .anyMatch(each -> each.startsWith("/oauth2/client/method: expected"));
    }

    @Test
    void nothing_prints_a_secret() {
        Policy policy = policy("{'bearer': {'token': {'secret': 'gw'}}}");
        Policy tokens = policy(OAUTH2.formatted(""));
        shown(tokens);

        assertThat(policy.toString() + tokens + spec(OAUTH2.formatted(""))).doesNotContain("s3cret", "t1");
    }

    private UpstreamAuth spec(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        UpstreamAuth spec = new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec;
    }

    private Policy policy(String json) {
        return spec(json).compile(new PolicyPlace("orders", "upstream-auth"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new UpstreamAuth.Type().read(node);
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static void pass(Policy policy, Exchange exchange) {
        assertThat(policy.apply(exchange)).isInstanceOf(Verdict.Proceed.class);
    }

    private static Followup followup(Policy policy) {
        var proceed = (Verdict.Proceed) policy.apply(Exchanges.get("/").make());
        return proceed.followup();
    }

    private static String shown(Policy policy) {
        Exchange exchange = Exchanges.get("/").make();
        pass(policy, exchange);
        return exchange.outgoing().headers().first("Authorization").orElseThrow();
    }

    private static void untilShown(Policy policy, String shown) {
        until(() -> shown(policy).equals(shown));
    }
}
