package gateway.snapshot;

import static gateway.snapshot.VersionedApi.LIST;
import static gateway.snapshot.VersionedApi.chosen;
import static gateway.snapshot.VersionedApi.problem;
import static gateway.snapshot.VersionedApi.route;
import static gateway.snapshot.VersionedApi.run;
import static gateway.snapshot.VersionedApi.text;
import static gateway.snapshot.VersionedApi.unnamed;
import static gateway.snapshot.VersionedApi.versions;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import gateway.http.Response;
import gateway.route.Route;
import gateway.route.RouteVersions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which version a request chooses.
final class VersionChoiceTest {
    private final VersionedApi api = new VersionedApi();

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
        RouteVersions versions = versions(api.compile("'versions': {'in': 'header', 'name': 'V', " + LIST + "}"));

        assertThat(run(chosen(versions, value)).status()).isEqualTo(status);
    }

    @Test
    void two_headers_are_ambiguous_even_when_they_agree() {
        RouteVersions versions = versions(api.compile("'versions': {'in': 'header', 'name': 'V', 'default': 'v1',"
                + " 'fallbackToDefault': true, " + LIST + "}"));

        assertThat(problem(chosen(versions, "v1", "v1"))).contains("400", "version-ambiguous", "once in the header V");
        assertThat(problem(chosen(versions, "v1,v2"))).contains("400", "version-ambiguous");
    }

    @Test
    void what_a_header_refuses_depends_on_that_header() {
        RouteVersions versions = versions(api.compile("'versions': {'in': 'header', 'name': 'V', " + LIST + "}"));

        assertThat(run(chosen(versions)).headers().all("Vary")).containsExactly("V");
        assertThat(run(chosen(versions, "v9")).headers().all("Vary")).containsExactly("V");
        assertThat(run(chosen(versions, "v1,v2")).headers().all("Vary")).containsExactly("V");
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
        RouteVersions versions = versions(api.compile("'versions': {'in': 'query', 'name': 'v', " + LIST + "}"));

        Response response = run(versions.choose("/orders", Headers.create(), query));

        assertThat(response.status()).isEqualTo(status);
        assertThat(text(response)).contains(type);
    }

    @Test
    void what_names_no_version_goes_to_the_default_and_what_names_an_unknown_one_only_when_asked_to() {
        String fields = "'in': 'query', 'name': 'v', 'default': 'v2', " + LIST;
        RouteVersions strict = versions(api.compile("'versions': {" + fields + "}"));
        RouteVersions lenient = versions(api.compile("'versions': {'fallbackToDefault': true, " + fields + "}"));

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
        Snapshot snapshot = api.compile("'versions': {'in': 'path', " + LIST + "}");

        assertThat(route(snapshot, "/orders/v1/items").versionName()).isEqualTo("v1");
        assertThat(route(snapshot, "/orders/v2").versionName()).isEqualTo("v2");
        assertThat(route(snapshot, "/orders/v1").path().below("/orders/v1/items"))
                .isEqualTo("/items");
        assertThat(problem(unnamed(snapshot, "/orders/v1x"))).contains("404", "version-unknown");
        assertThat(problem(unnamed(snapshot, "/orders"))).contains("404", "version-unknown");
    }

    @Test
    void a_path_that_names_no_version_is_the_default_ones() {
        Snapshot snapshot = api.compile("'versions': {'in': 'path', 'default': 'v2', " + LIST + "}");

        Route unnamed = unnamed(snapshot, "/orders/items");

        assertThat(unnamed.versionName()).isEqualTo("v2");
        assertThat(unnamed.path().below("/orders/items")).isEqualTo("/items");
        assertThat(unnamed.pipeline())
                .isSameAs(route(snapshot, "/orders/v2/items").pipeline());
    }

    @Test
    void a_version_with_path_parameters_is_ambiguous() {
        Snapshot snapshot = api.compile("'versions': {'in': 'path', 'default': 'v2', " + LIST + "}");

        assertThat(problem(unnamed(snapshot, "/orders/v1;x/items"))).contains("400", "version-ambiguous");
        assertThat(problem(unnamed(snapshot, "/orders/v1;"))).contains("400", "version-ambiguous");
        assertThat(unnamed(snapshot, "/orders/v3;x").versionName()).isEqualTo("v2");
        assertThat(unnamed(snapshot, "/orders/items/v1;x").versionName()).isEqualTo("v2");
        assertThat(unnamed(snapshot, "/orders").versionName()).isEqualTo("v2");
    }
}
