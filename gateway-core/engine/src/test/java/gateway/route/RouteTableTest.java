package gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.ApiDefinition;
import gateway.config.MatchDefinition;
import gateway.config.UpstreamDefinition;
import gateway.http.PathPattern;
import gateway.http.Response;
import gateway.pipeline.Pipeline;
import gateway.policy.FakeServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    @Test
    void the_longest_prefix_wins_on_segment_borders() {
        var table = table(route("root", "/"), route("orders", "/orders"), route("items", "/orders/items"));

        assertThat(served(table, "h", "/orders/items/7", "GET")).isEqualTo("items");
        assertThat(served(table, "h", "/orders/itemsx", "GET")).isEqualTo("orders");
        assertThat(served(table, "h", "/ordersx", "GET")).isEqualTo("root");
    }

    @Test
    void a_literal_segment_wins_over_a_parameter_of_the_same_length_but_not_over_a_longer_prefix() {
        var table = table(route("any", "/users/{id}"), route("me", "/users/me"), route("cart", "/users/{id}/cart"));

        assertThat(served(table, "h", "/users/me", "GET")).isEqualTo("me");
        assertThat(served(table, "h", "/users/7", "GET")).isEqualTo("any");
        assertThat(served(table, "h", "/users/me/cart", "GET")).isEqualTo("cart");
        assertThat(served(table, "h", "/users/", "GET")).isEqualTo("none");
    }

    @Test
    void an_exact_host_wins_over_a_longer_path_and_over_wildcards() {
        var table = table(
                route("exact", "/", "api.example.org"),
                route("deep", "/", "*.api.example.org"),
                route("wild", "/", "*.example.org"),
                route("any", "/long/path"));

        assertThat(served(table, "api.example.org", "/long/path", "GET")).isEqualTo("exact");
        assertThat(served(table, "a.b.api.example.org", "/", "GET")).isEqualTo("deep");
        assertThat(served(table, "x.example.org", "/", "GET")).isEqualTo("wild");
        assertThat(served(table, "example.org", "/long/path", "GET")).isEqualTo("any");
        assertThat(served(table, "example.org", "/", "GET")).isEqualTo("none");
    }

    @Test
    void a_path_served_with_other_methods_only_tells_which() {
        var table = table(route("read", "/a", Set.of("GET", "HEAD")), route("write", "/a", Set.of("POST")));

        assertThat(served(table, "h", "/a", "POST")).isEqualTo("write");
        assertThat(table.match("h", "/a", "PUT")).isEqualTo(new RouteMatch.WrongMethod(Set.of("GET", "HEAD", "POST")));
    }

    @Test
    void head_goes_where_it_is_listed_else_where_get_is() {
        var get = route("get", "/a", Set.of("GET"));
        var others = route("others", "/a");

        assertThat(served(table(get), "h", "/a", "HEAD")).isEqualTo("get");
        assertThat(served(table(get, others), "h", "/a", "HEAD")).isEqualTo("get");
        assertThat(served(table(get, route("head", "/a", Set.of("HEAD"))), "h", "/a", "HEAD"))
                .isEqualTo("head");
        assertThat(served(table(others), "h", "/a", "HEAD")).isEqualTo("others");
        assertThat(table(get).match("h", "/a", "PUT")).isEqualTo(new RouteMatch.WrongMethod(Set.of("GET", "HEAD")));
        assertThat(table(route("post", "/a", Set.of("POST"))).match("h", "/a", "HEAD"))
                .isEqualTo(new RouteMatch.WrongMethod(Set.of("POST")));
    }

    @Test
    void two_routes_with_the_same_match_are_named_with_each_other() {
        var conflicts = new ArrayList<RouteConflict>();

        RouteTable.build(
                List.of(route("a", "/users/{id}", Set.of("GET", "PUT")), route("b", "/users/{name}", Set.of("GET"))),
                conflicts);

        assertThat(conflicts).containsExactly(new RouteConflict("b", "a", "any host", "/users/{name}", "GET"));
    }

    @Property(tries = 1_000)
    void agrees_with_a_search_through_all_routes(
            @ForAll("patterns") List<String> patterns, @ForAll("paths") String path) {
        var routes = patterns.stream()
                .distinct()
                .map(pattern -> route(pattern, pattern))
                .toList();
        var conflicts = new ArrayList<RouteConflict>();

        var found = RouteTable.build(routes, conflicts).match("h", path, "GET");

        // parameter names differ only in shape-equal patterns, which conflict: compare shapes
        Optional<String> expected = routes.stream()
                .map(Route::path)
                .filter(pattern -> pattern.covers(path))
                .max(Comparator.<PathPattern>comparingInt(
                                pattern -> pattern.segments().size())
                        .thenComparing(RouteTableTest::literalness))
                .map(RouteTableTest::shape);
        assertThat(found instanceof RouteMatch.Found(var route) ? Optional.of(shape(route.path())) : Optional.empty())
                .isEqualTo(expected);
    }

    @Provide
    Arbitrary<List<String>> patterns() {
        return path(Arbitraries.of("a", "b", "ab", "{x}", "{y}"))
                .filter(p -> PathPattern.flaw(p).isEmpty())
                .list()
                .ofMaxSize(12);
    }

    @Provide
    Arbitrary<String> paths() {
        return path(Arbitraries.of("a", "b", "ab", "c", "")).filter(p -> !p.contains("//"));
    }

    private static Arbitrary<String> path(Arbitrary<String> segment) {
        return segment.list().ofMaxSize(5).map(segments -> "/" + String.join("/", segments));
    }

    /// Literal segments as 1, parameters as 0: compared as text, the earlier literal wins.
    private static String literalness(PathPattern pattern) {
        return String.join(
                "",
                pattern.segments().stream()
                        .map(s -> s.startsWith("{") ? "0" : "1")
                        .toList());
    }

    private static String shape(PathPattern pattern) {
        return pattern.segments().stream()
                .map(s -> s.startsWith("{") ? "{}" : s)
                .toList()
                .toString();
    }

    private static String served(RouteTable table, String host, String path, String method) {
        return switch (table.match(host, path, method)) {
            case RouteMatch.Found(var route) -> route.api().id();
            case RouteMatch.NotFound() -> "none";
            case RouteMatch.WrongMethod(var allowed) -> "only " + allowed;
        };
    }

    private static RouteTable table(Route... routes) {
        return RouteTable.of(Arrays.asList(routes));
    }

    static Route route(String id, String path, String... hosts) {
        return route(id, path, Set.of(), hosts);
    }

    private static Route route(String id, String path, Set<String> methods, String... hosts) {
        var second = Duration.ofSeconds(1);
        var upstream = new UpstreamDefinition(
                List.of(), UpstreamDefinition.Balance.ROUND_ROBIN, second, second, second, false);
        var api = new ApiDefinition(
                id,
                id,
                true,
                new MatchDefinition(List.of(hosts), path, methods),
                false,
                false,
                1,
                upstream,
                List.of(),
                true);
        return new Route(
                api,
                PathPattern.of(path),
                Pipeline.compile(id, List.of(), (exchange, waiter) -> Response.of(200), new FakeServices()));
    }
}
