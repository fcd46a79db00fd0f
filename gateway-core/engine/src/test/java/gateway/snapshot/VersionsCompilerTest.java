package gateway.snapshot;

import static gateway.snapshot.VersionedApi.LIST;
import static gateway.snapshot.VersionedApi.answer;
import static gateway.snapshot.VersionedApi.chosen;
import static gateway.snapshot.VersionedApi.document;
import static gateway.snapshot.VersionedApi.route;
import static gateway.snapshot.VersionedApi.run;
import static gateway.snapshot.VersionedApi.text;
import static gateway.snapshot.VersionedApi.unnamed;
import static gateway.snapshot.VersionedApi.versions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.InvalidConfigException;
import gateway.pipeline.PipelineRun;
import gateway.route.Route;
import gateway.route.RouteVersions;
import gateway.service.DefinitionSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VersionsCompilerTest {
    private final VersionedApi api = new VersionedApi();

    @Test
    void an_api_without_versions_has_nothing_to_choose() {
        Route route = route(api.compile("'enabled': true"), "/orders");

        assertThat(route.versions()).isNull();
        assertThat(route.version()).isNull();
    }

    @Test
    void each_version_has_a_pipeline_of_its_own_compiled_once() {
        Snapshot snapshot = api.compile("'versions': {'in': 'header', 'name': 'V', 'default': 'v1', " + LIST + "}");
        RouteVersions versions = versions(snapshot);

        Route first = chosen(versions, "v1");
        Route second = chosen(versions, "v2");

        assertThat(first.pipeline()).hasToString("[version-notice, v1/pass]");
        assertThat(second.pipeline()).hasToString("[version-notice]");
        assertThat(chosen(versions).pipeline()).isSameAs(first.pipeline());
        assertThat(api.made).containsExactlyInAnyOrder("http://first", "http://second");
        assertThat(answer(first)).isEqualTo("http://first");
        assertThat(answer(second)).isEqualTo("http://second");
    }

    @Test
    void an_upstream_that_no_version_uses_is_not_made() {
        api.compile("'versions': {'in': 'path', 'list': [{'name': 'v2',"
                + " 'upstream': {'targets': [{'url': 'http://second'}]}}]}");

        assertThat(api.made).containsExactly("http://second");
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
        Snapshot snapshot = api.compile("'stripPath': " + stripPath
                + ", 'versions': {'in': 'path', 'default': 'v1', 'strip': " + strip + ", " + LIST + "}");

        assertThat(route(snapshot, "/orders/v1/items").forwarded().of("/orders/v1/items"))
                .isEqualTo(named);
        assertThat(unnamed(snapshot, "/orders/items").forwarded().of("/orders/items"))
                .isEqualTo(unnamed);
    }

    @Test
    void the_version_goes_after_policies_have_seen_it() {
        RouteVersions byHeader = versions(
                api.compile("'versions': {'in': 'header', 'name': 'V', 'default': 'v1', 'strip': true, " + LIST + "}"));
        RouteVersions byQuery =
                versions(api.compile("'versions': {'in': 'query', 'name': 'v', 'strip': true, " + LIST + "}"));

        var exchange = Exchanges.get("/orders?a=%2f&v=v1&b")
                .with("V", "v1")
                .with("W", "w")
                .make();
        chosen(byHeader, "v1").pipeline().run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
        byQuery.choose("/orders", Headers.create(), exchange.outgoing().query())
                .pipeline()
                .run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));

        assertThat(exchange.headers().contains("V")).isFalse();
        assertThat(exchange.headers().contains("W")).isTrue();
        assertThat(exchange.outgoing().query()).isEqualTo("a=%2f&b");
        assertThat(chosen(byHeader, "v1").pipeline()).hasToString("[version-notice, version-strip, v1/pass]");
    }

    @Test
    void a_version_expires_to_the_millisecond_and_tells_when_before_and_after() {
        Route route = route(
                api.compile("'versions': {'in': 'path', 'list': [{'name': 'v1', 'expires': '2026-06-02T00:00:00Z',"
                        + " 'deprecatedSince': '2026-01-01T00:00:00Z', 'link': 'https://example.com/end'}]}"),
                "/orders/v1");

        api.services.clock().advance(Duration.ofDays(1).minusMillis(1));
        Response before = run(route);
        api.services.clock().advance(Duration.ofMillis(1));
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

        assertThat(run(chosen(versions(api.compile("'versions': {'in': 'header', 'name': 'V', " + list + "}")), "v1"))
                        .headers()
                        .all("Vary"))
                .containsExactly("V");
        assertThat(run(route(api.compile("'versions': {'in': 'path', " + list + "}"), "/orders/v1"))
                        .headers()
                        .all("Vary"))
                .isEmpty();
    }

    @Test
    void what_guards_the_api_comes_before_a_refusal_and_its_answer_tells_of_the_end() {
        String guard = "'policies': [{'type': 'stop', 'status': 418}, {'type': 'pass'}], ";
        RouteVersions versions = versions(api.compile(guard + "'versions': {'in': 'query', 'name': 'v',"
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
        var definitions = DefinitionSet.ofApis(
                1,
                Map.of(
                        "orders", document("orders", "/orders", "'versions': {'in': 'path', " + LIST + "}"),
                        "old", document("old", "/orders/v1", "'enabled': true")));

        var refused = catchThrowableOfType(
                InvalidConfigException.class, () -> api.compiler.compile(definitions, Snapshot.EMPTY));

        assertThat(refused.problems().stream().map(Object::toString))
                .containsExactly("/apis/orders/match: same match as API \"old\": every method /orders/v1 on any host");
    }

    @Test
    void what_an_upstream_cannot_use_stands_under_the_pointer_of_its_version() {
        var failing = new SnapshotCompiler(new DefinitionReader(TestPolicies.registry()), api.services, definition -> {
            throw new InvalidConfigException("/upstream/tls/ca", "no such file");
        });
        var definitions = DefinitionSet.ofApis(
                1, Map.of("orders", document("orders", "/orders", "'versions': {'in': 'path', " + LIST + "}")));

        var refused =
                catchThrowableOfType(InvalidConfigException.class, () -> failing.compile(definitions, Snapshot.EMPTY));

        assertThat(refused.problems().stream().map(Object::toString))
                .containsExactlyInAnyOrder(
                        "/apis/orders/upstream/tls/ca: no such file",
                        "/apis/orders/versions/list/1/upstream/tls/ca: no such file");
    }
}
