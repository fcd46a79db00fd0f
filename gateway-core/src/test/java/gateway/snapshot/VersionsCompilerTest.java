package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.config.UpstreamDefinition;
import gateway.http.FakeExchange;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.pipeline.Passage;
import gateway.policy.FakeServices;
import gateway.route.Route;
import gateway.route.RouteMatch;
import gateway.route.RouteVersions;
import gateway.service.DefinitionSet;
import gateway.service.Upstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VersionsCompilerTest {
    private static final String LIST = "'list': [{'name': 'v1', 'policies': [{'type': 'pass'}]},"
            + " {'name': 'v2', 'upstream': {'targets': [{'url': 'http://second'}]}}]";

    private final FakeServices services = new FakeServices();
    private final List<String> made = new ArrayList<>();
    private final SnapshotCompiler compiler =
            new SnapshotCompiler(new DefinitionReader(TestPolicies.registry()), services, this::upstream);

    @Test
    void an_api_without_versions_has_nothing_to_choose() {
        Route route = route(compile("'enabled': true"), "/orders");

        assertThat(route.versions()).isNull();
        assertThat(route.version()).isNull();
    }

    @Test
    void each_version_has_a_pipeline_of_its_own_compiled_once() {
        Snapshot snapshot = compile("'versions': {'in': 'header', 'name': 'V', 'default': 'v1', " + LIST + "}");
        RouteVersions versions = versions(snapshot);

        Route first = chosen(versions, "v1");
        Route second = chosen(versions, "v2");

        assertThat(first.pipeline()).hasToString("[version-notice, v1/pass]");
        assertThat(second.pipeline()).hasToString("[version-notice]");
        assertThat(chosen(versions).pipeline()).isSameAs(first.pipeline());
        assertThat(made).containsExactlyInAnyOrder("http://first", "http://second");
        assertThat(answer(first)).isEqualTo("http://first");
        assertThat(answer(second)).isEqualTo("http://second");
    }

    @Test
    void an_upstream_that_no_version_uses_is_not_made() {
        compile("'versions': {'in': 'path', 'list': [{'name': 'v2',"
                + " 'upstream': {'targets': [{'url': 'http://second'}]}}]}");

        assertThat(made).containsExactly("http://second");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "v1, 200",
                "v2, 200",
                "V1, 400",
                "v3, 400",
                "'', 400",
                "'v1, v2', 400",
                "'v1,v1', 400",
            })
    void a_header_names_the_version_exactly(String value, int status) {
        RouteVersions versions = versions(compile("'versions': {'in': 'header', 'name': 'V', " + LIST + "}"));

        assertThat(run(chosen(versions, value)).status()).isEqualTo(status);
    }

    @Test
    void two_headers_are_ambiguous_even_when_they_agree() {
        RouteVersions versions = versions(compile("'versions': {'in': 'header', 'name': 'V', 'default': 'v1',"
                + " 'fallbackToDefault': true, " + LIST + "}"));

        assertThat(problem(chosen(versions, "v1", "v1"))).contains("400", "version-ambiguous", "once in the header V");
        assertThat(problem(chosen(versions, "v1,v2"))).contains("400", "version-ambiguous");
    }

    @ParameterizedTest
    @CsvSource({
        "v=v1, 200, ''",
        "a=b&v=v2&c, 200, ''",
        "'', 400, version-missing",
        "vv=v1, 400, version-missing",
        "V=v1, 400, version-missing",
        "v, 400, version-unknown",
        "v=, 400, version-unknown",
        "v=v9, 400, version-unknown",
        "v=v1&v=v2, 400, version-ambiguous",
        "v=v1&v=v1, 400, version-ambiguous",
        "v=v1&%76=v2, 400, version-ambiguous",
        "%76=v1, 400, version-ambiguous",
        "v=%761, 400, version-ambiguous",
        "v=v1+, 400, version-ambiguous",
        "v&v=v1, 400, version-ambiguous",
    })
    void a_query_parameter_names_the_version_once_and_plainly(String query, int status, String type) {
        RouteVersions versions = versions(compile("'versions': {'in': 'query', 'name': 'v', " + LIST + "}"));

        Response response = run(versions.choose("/orders", Headers.create(), query));

        assertThat(response.status()).isEqualTo(status);
        assertThat(text(response)).contains(type);
    }

    @Test
    void what_names_no_version_goes_to_the_default_and_what_names_an_unknown_one_only_when_asked_to() {
        String fields = "'in': 'query', 'name': 'v', 'default': 'v2', " + LIST;
        RouteVersions strict = versions(compile("'versions': {" + fields + "}"));
        RouteVersions lenient = versions(compile("'versions': {'fallbackToDefault': true, " + fields + "}"));

        assertThat(strict.choose("/orders", Headers.create(), "").versionName()).isEqualTo("v2");
        assertThat(run(strict.choose("/orders", Headers.create(), "v=v9")).status())
                .isEqualTo(400);
        assertThat(lenient.choose("/orders", Headers.create(), "v=v9").versionName())
                .isEqualTo("v2");
        assertThat(run(lenient.choose("/orders", Headers.create(), "v=v1&v=v1")).status())
                .isEqualTo(400);
    }

    @Test
    void a_version_in_the_path_has_a_place_in_the_table() {
        Snapshot snapshot = compile("'versions': {'in': 'path', " + LIST + "}");

        assertThat(route(snapshot, "/orders/v1/items").versionName()).isEqualTo("v1");
        assertThat(route(snapshot, "/orders/v2").versionName()).isEqualTo("v2");
        assertThat(route(snapshot, "/orders/v1").path().below("/orders/v1/items"))
                .isEqualTo("/items");
        assertThat(problem(unnamed(snapshot, "/orders/v1x"))).contains("404", "version-unknown");
        assertThat(problem(unnamed(snapshot, "/orders"))).contains("404", "version-unknown");
    }

    @Test
    void a_path_that_names_no_version_is_the_default_ones() {
        Snapshot snapshot = compile("'versions': {'in': 'path', 'default': 'v2', " + LIST + "}");

        Route unnamed = unnamed(snapshot, "/orders/items");

        assertThat(unnamed.versionName()).isEqualTo("v2");
        assertThat(unnamed.path().below("/orders/items")).isEqualTo("/items");
        assertThat(unnamed.pipeline())
                .isSameAs(route(snapshot, "/orders/v2/items").pipeline());
    }

    @Test
    void a_version_with_path_parameters_is_ambiguous() {
        Snapshot snapshot = compile("'versions': {'in': 'path', 'default': 'v2', " + LIST + "}");

        assertThat(problem(unnamed(snapshot, "/orders/v1;x/items"))).contains("400", "version-ambiguous");
        assertThat(problem(unnamed(snapshot, "/orders/v1;"))).contains("400", "version-ambiguous");
        assertThat(unnamed(snapshot, "/orders/v3;x").versionName()).isEqualTo("v2");
        assertThat(unnamed(snapshot, "/orders/items/v1;x").versionName()).isEqualTo("v2");
        assertThat(unnamed(snapshot, "/orders").versionName()).isEqualTo("v2");
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, /orders/v1/items, /orders/items",
        "false, true, /orders/items, /orders/items",
        "true, false, /v1/items, /items",
        "true, true, /items, /items",
    })
    void the_upstream_is_sent_the_path_as_both_strips_say(
            boolean stripPath, boolean strip, String named, String unnamed) {
        Snapshot snapshot = compile("'stripPath': " + stripPath
                + ", 'versions': {'in': 'path', 'default': 'v1', 'strip': " + strip + ", " + LIST + "}");

        assertThat(route(snapshot, "/orders/v1/items").forwarded().of("/orders/v1/items"))
                .isEqualTo(named);
        assertThat(unnamed(snapshot, "/orders/items").forwarded().of("/orders/items"))
                .isEqualTo(unnamed);
    }

    @Test
    void the_version_goes_after_policies_have_seen_it() {
        RouteVersions byHeader = versions(
                compile("'versions': {'in': 'header', 'name': 'V', 'default': 'v1', 'strip': true, " + LIST + "}"));
        RouteVersions byQuery =
                versions(compile("'versions': {'in': 'query', 'name': 'v', 'strip': true, " + LIST + "}"));

        var exchange = FakeExchange.get("/orders?a=%2f&v=v1&b").with("V", "v1").with("W", "w");
        chosen(byHeader, "v1").pipeline().run(exchange, new Passage());
        byQuery.choose("/orders", Headers.create(), exchange.query()).pipeline().run(exchange, new Passage());

        assertThat(exchange.headers().contains("V")).isFalse();
        assertThat(exchange.headers().contains("W")).isTrue();
        assertThat(exchange.query()).isEqualTo("a=%2f&b");
        assertThat(chosen(byHeader, "v1").pipeline()).hasToString("[version-notice, version-strip, v1/pass]");
    }

    @Test
    void a_version_expires_to_the_millisecond_and_tells_when_before_and_after() {
        Route route = route(
                compile("'versions': {'in': 'path', 'list': [{'name': 'v1', 'expires': '2026-06-02T00:00:00Z',"
                        + " 'deprecatedSince': '2026-01-01T00:00:00Z', 'link': 'https://example.com/end'}]}"),
                "/orders/v1");

        services.clock().advance(Duration.ofDays(1).minusMillis(1));
        Response before = run(route);
        services.clock().advance(Duration.ofMillis(1));
        Response after = run(route);

        assertThat(List.of(before.status(), after.status())).containsExactly(200, 403);
        assertThat(text(after)).contains("version-expired");
        for (Response response : List.of(before, after)) {
            assertThat(response.headers().all("Deprecation")).containsExactly("@1767225600");
            assertThat(response.headers().all("Sunset")).containsExactly("Tue, 02 Jun 2026 00:00:00 GMT");
            assertThat(response.headers().all("Link"))
                    .containsExactly("<https://example.com/end>; rel=\"deprecation sunset\"");
        }
    }

    @Test
    void answers_that_a_header_chose_say_so_to_caches() {
        String list = "'list': [{'name': 'v1'}]";

        assertThat(run(chosen(versions(compile("'versions': {'in': 'header', 'name': 'V', " + list + "}")), "v1"))
                        .headers()
                        .all("Vary"))
                .containsExactly("V");
        assertThat(run(route(compile("'versions': {'in': 'path', " + list + "}"), "/orders/v1"))
                        .headers()
                        .all("Vary"))
                .isEmpty();
    }

    @Test
    void what_guards_the_api_comes_before_a_refusal_and_its_answer_tells_of_the_end() {
        String guard = "'policies': [{'type': 'stop', 'status': 418}, {'type': 'pass'}], ";
        RouteVersions versions = versions(compile(guard + "'versions': {'in': 'query', 'name': 'v',"
                + " 'list': [{'name': 'v1', 'expires': '2020-01-01T00:00:00Z'}]}"));

        Route expired = versions.choose("/orders", Headers.create(), "v=v1");
        Route unknown = versions.choose("/orders", Headers.create(), "v=v2");

        assertThat(unknown.pipeline()).hasToString("[stop, version]");
        assertThat(expired.pipeline()).hasToString("[version-notice, stop, version, pass]");
        assertThat(run(unknown).status()).isEqualTo(418);
        assertThat(run(expired).status()).isEqualTo(418);
        assertThat(run(expired).headers().contains("Sunset")).isTrue();
    }

    @Test
    void two_apis_that_would_serve_the_same_version_are_refused() {
        var definitions = new DefinitionSet(
                1,
                Map.of(
                        "orders", api("orders", "/orders", "'versions': {'in': 'path', " + LIST + "}"),
                        "old", api("old", "/orders/v1", "'enabled': true")));

        var refused =
                catchThrowableOfType(InvalidConfigException.class, () -> compiler.compile(definitions, Snapshot.EMPTY));

        assertThat(refused.problems().stream().map(Object::toString))
                .containsExactly("/apis/orders/match: same match as API \"old\": every method /orders/v1 on any host");
    }

    @Test
    void what_an_upstream_cannot_use_stands_under_the_pointer_of_its_version() {
        var failing = new SnapshotCompiler(new DefinitionReader(TestPolicies.registry()), services, definition -> {
            throw new InvalidConfigException("/upstream/tls/ca", "no such file");
        });
        var definitions = new DefinitionSet(
                1, Map.of("orders", api("orders", "/orders", "'versions': {'in': 'path', " + LIST + "}")));

        var refused =
                catchThrowableOfType(InvalidConfigException.class, () -> failing.compile(definitions, Snapshot.EMPTY));

        assertThat(refused.problems().stream().map(Object::toString))
                .containsExactlyInAnyOrder(
                        "/apis/orders/upstream/tls/ca: no such file",
                        "/apis/orders/versions/list/1/upstream/tls/ca: no such file");
    }

    private Upstream upstream(UpstreamDefinition definition) {
        String url = definition.targets().getFirst().url().toString();
        made.add(url);
        return exchange -> Response.of(200).with("From", url);
    }

    private Snapshot compile(String fields) {
        return compiler.compile(
                new DefinitionSet(1, Map.of("orders", api("orders", "/orders", fields))), Snapshot.EMPTY);
    }

    private static Route route(Snapshot snapshot, String path) {
        return ((RouteMatch.Found) snapshot.table().match("h", path, "GET")).route();
    }

    private static RouteVersions versions(Snapshot snapshot) {
        RouteVersions versions = route(snapshot, "/orders").versions();
        if (versions == null) throw new AssertionError("no versions");
        return versions;
    }

    /// Where `path`, which names no version, leads to.
    private static Route unnamed(Snapshot snapshot, String path) {
        RouteVersions versions = route(snapshot, path).versions();
        if (versions == null) throw new AssertionError("no choice on " + path);
        return versions.choose(path, Headers.create(), "");
    }

    private static Route chosen(RouteVersions versions, String... values) {
        Headers headers = Headers.create();
        for (String value : values) headers.add("v", value);
        return versions.choose("/orders", headers, "");
    }

    private Response run(Route route) {
        return route.pipeline().run(FakeExchange.get("/orders"), new Passage());
    }

    private String answer(Route route) {
        return run(route).headers().first("From").orElseThrow();
    }

    private String problem(Route route) {
        Response response = run(route);
        return response.status() + text(response);
    }

    private static String text(Response response) {
        return new String(response.body().bytes(10_000), java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String api(String id, String path, String fields) {
        return ("{'id': '" + id + "', 'match': {'path': '" + path
                        + "'}, 'upstream': {'targets': [{'url': 'http://first'}]}, " + fields + "}")
                .replace('\'', '"');
    }
}
