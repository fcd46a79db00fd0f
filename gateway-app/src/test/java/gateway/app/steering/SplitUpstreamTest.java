package gateway.app.steering;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Upstream;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SplitUpstreamTest {
    private final Map<String, Integer> calls = new TreeMap<>();

    private SplitUpstream split(String split) {
        UpstreamDefinition upstream = new DefinitionReader(PolicyRegistry.load())
                .read(
                        ("{'id': 'orders', 'match': {'path': '/'}, 'upstream': {'targets': [{'url': 'http://m'}], 'split': "
                                        + split + "}}")
                                .replace('\'', '"'))
                .upstream();
        return SplitUpstream.of(upstream, upstream.steering().split().orElseThrow(), this::counting, new Dice(7));
    }

    private Upstream counting(UpstreamDefinition branch) {
        return (exchange, waiter) -> {
            calls.merge(branch.steering().name(), 1, Integer::sum);
            return Response.of(200);
        };
    }

    private static String branch(String name, int percent, String more) {
        return "{'name': '" + name + "', 'percent': " + percent + ", 'targets': [{'url': 'http://" + name + "'}]" + more
                + "}";
    }

    /// The cookie that was set; empty: none.
    private static String send(SplitUpstream upstream, Exchange exchange) {
        return upstream.send(exchange, UpstreamWaiter.NOBODY)
                .headers()
                .first("Set-Cookie")
                .orElse("");
    }

    @Test
    void each_branch_gets_its_percentage() {
        SplitUpstream upstream = split("{'branches': [" + branch("a", 20, "") + "," + branch("b", 30, "") + "]}");

        for (int i = 0; i < 10_000; i++) send(upstream, Exchanges.get("/").make());

        assertThat(calls.get("orders#a")).isBetween(1_800, 2_200);
        assertThat(calls.get("orders#b")).isBetween(2_800, 3_200);
        assertThat(calls.get("orders")).isBetween(4_800, 5_200);
    }

    @Test
    void a_request_that_meets_a_branchs_condition_goes_there() {
        SplitUpstream upstream = split("{'branches': ["
                + branch("a", 0, ", 'when': {'headers': {'X-Canary': '1'}}") + ","
                + branch("b", 0, ", 'when': {'cookies': {'beta': '*'}}") + "]}");

        send(upstream, Exchanges.get("/").with("X-Canary", "1").make());
        send(upstream, Exchanges.get("/").with("Cookie", "beta=yes").make());
        send(
                upstream,
                Exchanges.get("/")
                        .with("X-Canary", "1")
                        .with("Cookie", "beta=yes")
                        .make());
        send(upstream, Exchanges.get("/").with("X-Canary", "2").make());

        assertThat(calls).isEqualTo(Map.of("orders#a", 2, "orders#b", 1, "orders", 1));
    }

    @Test
    void a_cookie_keeps_a_client_on_its_branch() {
        SplitUpstream upstream = split("{'branches': [" + branch("a", 50, "") + "], 'stickBy': 'cookie:side'}");

        String set = send(upstream, Exchanges.get("/").make());
        String first = calls.keySet().iterator().next();
        String pair = set.substring(0, set.indexOf(';'));
        for (int i = 0; i < 50; i++)
            assertThat(send(upstream, Exchanges.get("/").with("Cookie", pair).make()))
                    .isEmpty();

        assertThat(pair).isEqualTo(first.equals("orders") ? "side=main" : "side=a");
        assertThat(set).contains("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax");
        assertThat(calls).isEqualTo(Map.of(first, 51));
    }

    @Test
    void a_cookie_of_a_branch_without_share_or_of_none_is_drawn_anew() {
        SplitUpstream upstream = split("{'branches': [" + branch("old", 0, "") + "], 'stickBy': 'cookie:side'}");

        assertThat(send(upstream, Exchanges.get("/").with("Cookie", "side=old").make()))
                .startsWith("side=main;");
        assertThat(send(
                        upstream,
                        Exchanges.get("/").with("Cookie", "side=\"; evil").make()))
                .startsWith("side=main;");
        assertThat(calls).isEqualTo(Map.of("orders", 2));
    }

    @Test
    void a_header_keeps_those_alike_together_and_spreads_the_others_by_percentage() {
        SplitUpstream upstream = split("{'branches': [" + branch("a", 25, "") + "], 'stickBy': 'header:X-User'}");

        for (int i = 0; i < 50; i++)
            send(upstream, Exchanges.get("/").with("X-User", "ada").make());
        assertThat(calls).hasSize(1);
        calls.clear();
        IntStream.range(0, 4_000)
                .forEach(i -> send(
                        upstream, Exchanges.get("/").with("X-User", "user-" + i).make()));

        assertThat(calls.get("orders#a")).isBetween(900, 1_100);
    }

    @Test
    void who_is_on_a_branch_stays_there_when_its_percentage_grows() {
        SplitUpstream small = split("{'branches': [" + branch("a", 10, "") + "], 'stickBy': 'ip'}");
        SplitUpstream large = split("{'branches': [" + branch("a", 40, "") + "], 'stickBy': 'header:X-User'}");
        SplitUpstream before = split("{'branches': [" + branch("a", 10, "") + "], 'stickBy': 'header:X-User'}");

        for (int i = 0; i < 500; i++) {
            Exchange user = Exchanges.get("/").with("X-User", "user-" + i).make();
            calls.clear();
            send(before, user);
            if (!calls.containsKey("orders#a")) continue;
            send(large, user);
            assertThat(calls).isEqualTo(Map.of("orders#a", 2));
        }
        calls.clear();
        send(small, Exchanges.get("/").make());
        send(small, Exchanges.get("/").make());
        assertThat(calls).hasSize(1);
    }
}
