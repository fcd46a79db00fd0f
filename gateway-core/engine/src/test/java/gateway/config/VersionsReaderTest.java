package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.VersionsDefinition.In;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.PolicyDefinition;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VersionsReaderTest {
    private static final String LIST = "'list': [{'name': 'v1'}, {'name': 'v2'}]";

    private final DefinitionReader reader = new DefinitionReader(TestPolicies.registry());

    @Test
    void an_api_has_no_versions_unless_it_says_so() {
        assertThat(reader.read(api("'enabled': true")).versions()).isEmpty();
    }

    @Test
    void reads_how_a_version_is_chosen() {
        assertThat(versions(
                        "'in': 'header', 'name': 'X-Api-Version', 'default': 'v2', 'fallbackToDefault': true, 'strip': true, "
                                + LIST))
                .isEqualTo(new VersionsDefinition(
                        In.HEADER, "X-Api-Version", Optional.of("v2"), true, true, List.of(bare("v1"), bare("v2"))));
        assertThat(versions("'in': 'query', 'name': 'version', " + LIST))
                .isEqualTo(new VersionsDefinition(
                        In.QUERY, "version", Optional.empty(), false, false, List.of(bare("v1"), bare("v2"))));
        assertThat(versions("'in': 'path', " + LIST).in()).isEqualTo(In.PATH);
    }

    @Test
    void reads_what_a_version_has_of_its_own() {
        VersionDefinition version = versions("'in': 'path', 'list': [{'name': '2024-01',"
                        + " 'expires': '2027-07-01T00:00:00Z', 'deprecatedSince': '2026-01-01T00:00:00Z',"
                        + " 'sunset': '2027-06-01T00:00:00Z', 'link': 'https://example.com/end',"
                        + " 'upstream': {'targets': [{'url': 'http://10.0.0.9'}]},"
                        + " 'policies': [{'type': 'pass'}, {'type': 'pass'}]}]")
                .list()
                .getFirst();

        assertThat(version.expires()).contains(Instant.parse("2027-07-01T00:00:00Z"));
        assertThat(version.deprecatedSince()).contains(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(version.sunset()).contains(Instant.parse("2027-06-01T00:00:00Z"));
        assertThat(version.link()).contains("https://example.com/end");
        assertThat(version.upstream().orElseThrow().targets())
                .containsExactly(new TargetDefinition(URI.create("http://10.0.0.9"), 1));
        assertThat(version.policies())
                .extracting(PolicyDefinition::step)
                .containsExactly("2024-01/pass", "2024-01/pass-2");
    }

    @Test
    void a_version_is_the_api_with_its_own_upstream_and_its_policies_besides() {
        ApiDefinition api = reader.read(api("'policies': [{'type': 'pass'}], 'versions': {'in': 'path', 'list': ["
                + "{'name': 'v1', 'policies': [{'type': 'pass'}]},"
                + "{'name': 'v2', 'upstream': {'targets': [{'url': 'http://10.0.0.9'}]}}]}"));
        List<VersionDefinition> list = api.versions().orElseThrow().list();

        assertThat(api.in(list.get(0)).upstream()).isEqualTo(api.upstream());
        assertThat(api.in(list.get(0)).policies())
                .extracting(PolicyDefinition::step)
                .containsExactly("pass", "v1/pass");
        assertThat(api.in(list.get(1)).upstream())
                .isEqualTo(list.get(1).upstream().orElseThrow());
        assertThat(api.in(list.get(1)).policies())
                .extracting(PolicyDefinition::step)
                .containsExactly("pass");
        assertThat(api.allPolicies()).extracting(PolicyDefinition::step).containsExactly("pass", "v1/pass");
    }

    @Test
    void a_header_that_no_request_arrives_with_cannot_name_a_version() {
        assertThat(problems("'in': 'header', 'name': 'X_V', 'list': [{'name': 'v1'}]"))
                .containsExactly("/versions/name: expected a header name without '_', which no request arrives with,"
                        + " got \"X_V\"");
    }

    @Test
    void names_each_wrong_field_of_the_choice() {
        assertThat(problems("'in': 'cookie', 'name': 'X Y', 'default': 'v3', 'fallbackToDefault': true, 'Strip': true, "
                        + "'list': [{'name': 'v1'}, {'name': 'v1'}, {'name': '..'}, {'name': 'a/b'}, {}]"))
                .containsExactlyInAnyOrder(
                        "/versions/in: expected one of \"header\", \"query\", \"path\", got \"cookie\"",
                        "/versions/name: expected a header name, got \"X Y\"",
                        "/versions/default: expected the name of a version in list, got \"v3\"; did you mean \"v1\"?",
                        "/versions/fallbackToDefault: expected a default to fall back to",
                        "/versions/Strip: unknown field; did you mean \"strip\"?",
                        "/versions/list/1/name: the version \"v1\" stands twice",
                        "/versions/list/2/name: expected 1 to 64 letters, digits, '.', '_' or '-', got \"..\"",
                        "/versions/list/3/name: expected 1 to 64 letters, digits, '.', '_' or '-', got \"a/b\"",
                        "/versions/list/4/name: expected text, got nothing");
    }

    @Test
    void names_what_is_missing() {
        assertThat(problems(""))
                .containsExactlyInAnyOrder(
                        "/versions/in: expected one of \"header\", \"query\", \"path\", got nothing",
                        "/versions/name: expected text, got nothing",
                        "/versions/list: expected 1 to 100 versions, got 0");
        assertThat(problems("'in': 'path', 'list': []"))
                .containsExactly("/versions/list: expected 1 to 100 versions, got 0");
        assertThat(problems("'in': 'path', 'list': {}")).containsExactly("/versions/list: expected an array, got {}");
    }

    @Test
    void a_path_has_neither_a_name_nor_a_fallback() {
        assertThat(problems("'in': 'path', 'name': 'v', 'default': 'v1', 'fallbackToDefault': true, " + LIST))
                .containsExactlyInAnyOrder(
                        "/versions/name: expected nothing: the version is the segment behind match.path",
                        "/versions/fallbackToDefault: expected nothing:"
                                + " a path that names no version is served by the default anyway");
    }

    @Test
    void a_path_of_too_many_segments_has_no_room_for_a_version() {
        var node = ConfigNode.parse(api("'versions': {'in': 'path', " + LIST.replace('\'', '"') + "}")
                .replace("\"/orders\"", '"' + "/a".repeat(32) + '"'));

        reader.read(node);

        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .containsExactly("/versions/list: expected at most 32 segments, got 33");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "connection", "X-Forwarded-For", "Authorization", "traceparent", "X-Request-Id"})
    void a_header_with_a_meaning_of_its_own_carries_no_version(String name) {
        assertThat(problems("'in': 'header', 'name': '" + name + "', " + LIST))
                .containsExactly(
                        "/versions/name: the header " + name + " has a meaning of its own and cannot carry a version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a%20b", "a&b", "a=b", "v[]", "é"})
    void a_parameter_has_a_name_that_needs_no_encoding(String name) {
        assertThat(problems("'in': 'query', 'name': '" + name + "', " + LIST))
                .containsExactly(
                        "/versions/name: expected 1 to 64 letters, digits, '.', '_', '~' or '-', got \"" + name + "\"");
    }

    @Test
    void the_end_of_a_version_is_in_order() {
        assertThat(ofOne("'deprecatedSince': '2026-02-01T00:00:00Z', 'sunset': '2026-01-01T00:00:00Z'"))
                .containsExactly("/versions/list/0/sunset: expected a time not before deprecatedSince,"
                        + " got \"2026-01-01T00:00:00Z\"");
        assertThat(ofOne("'expires': '2026-01-01T00:00:00Z', 'sunset': '2026-02-01T00:00:00Z'"))
                .containsExactly(
                        "/versions/list/0/sunset: expected a time not after expires, got \"2026-02-01T00:00:00Z\"");
        assertThat(ofOne("'deprecatedSince': '2026-02-01T00:00:00Z', 'expires': '2026-01-01T00:00:00Z'"))
                .containsExactly("/versions/list/0/expires: expected a time not before deprecatedSince,"
                        + " got \"2026-01-01T00:00:00Z\"");
        assertThat(ofOne("'link': 'https://example.com'"))
                .containsExactly("/versions/list/0/link: expected deprecatedSince, sunset or expires beside a link");
    }

    @Test
    void names_each_wrong_field_of_a_version() {
        assertThat(ofOne("'expires': 'soon', 'sunset': '+12026-01-01T00:00:00Z', 'link': 'javascript:x', 'expire': 1,"
                        + " 'upstream': {'targets': []}, 'policies': [{'type': 'psas'}]"))
                .containsExactlyInAnyOrder(
                        "/versions/list/0/expires: expected a time such as \"2027-01-01T00:00:00Z\", got \"soon\"",
                        "/versions/list/0/sunset: expected a time from 1970 to 9999, got \"+12026-01-01T00:00:00Z\"",
                        "/versions/list/0/link: expected a URL such as \"https://example.com/docs/v1-end\","
                                + " got \"javascript:x\"",
                        "/versions/list/0/expire: unknown field; did you mean \"expires\"?",
                        "/versions/list/0/upstream/targets: expected 1 to 256 targets, got 0",
                        "/versions/list/0/policies/0/type: unknown policy type \"psas\"; did you mean \"pass\"?");
    }

    @Test
    void what_answers_preflights_stands_with_the_api_unless_the_path_tells_the_version() {
        String list = "'list': [{'name': 'v1', 'policies': [{'type': 'pass'}, {'type': 'preflight'}]}]";

        assertThat(problems("'in': 'header', 'name': 'V', " + list))
                .containsExactly("/versions/list/0/policies/1/type: expected preflight among the policies of the API,"
                        + " where preflights are answered");
        assertThat(problems("'in': 'query', 'name': 'v', " + list)).hasSize(1);
        assertThat(problems("'in': 'path', " + list)).isEmpty();
    }

    private List<String> ofOne(String fields) {
        return problems("'in': 'path', 'list': [{'name': 'v1', " + fields + "}]");
    }

    private VersionsDefinition versions(String fields) {
        return reader.read(api("'versions': {" + fields + "}")).versions().orElseThrow();
    }

    private List<String> problems(String fields) {
        var node = ConfigNode.parse(api("'versions': {" + fields + "}"));
        reader.read(node);
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static VersionDefinition bare(String name) {
        return new VersionDefinition(
                name,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private static String api(String more) {
        return ("{'id': 'orders', 'match': {'path': '/orders'},"
                        + " 'upstream': {'targets': [{'url': 'http://10.0.0.1'}]}, " + more + "}")
                .replace('\'', '"');
    }
}
