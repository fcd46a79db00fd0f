package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.SplitDefinition.Branch;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.net.AllowedNetworks;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SplitReaderTest {
    private static final String TARGETS = "'targets': [{'url': 'http://c'}]";

    @Test
    void reads_branches_and_what_keeps_clients_on_them() {
        var node = node("{'branches': [{'name': 'canary', 'percent': 5, " + TARGETS
                + "}], 'stickBy': 'cookie:side', 'cookieAge': '1h'}");

        SplitDefinition split = read(node);

        assertThat(node.problems()).isEmpty();
        assertThat(split)
                .isEqualTo(new SplitDefinition(
                        List.of(new Branch(
                                "canary",
                                5,
                                Optional.empty(),
                                List.of(new TargetDefinition(URI.create("http://c"), 1)))),
                        Optional.of(new RequestTrait(RequestTrait.Kind.COOKIE, "side")),
                        Duration.ofHours(1)));
    }

    @Test
    void branches_by_https_are_spoken_to_as_the_upstream_says() {
        var node = node(
                "{'targets': [{'url': 'http://a'}], 'tls': {'serverName': 'canary.internal'},"
                        + " 'split': {'branches': [{'name': 'canary', 'percent': 1, 'targets': [{'url': 'https://10.0.0.1'}]}]}}");

        UpstreamDefinition upstream = new UpstreamReader(AllowedNetworks.USUAL).read(node, "orders");

        assertThat(node.problems()).isEmpty();
        assertThat(upstream.targets()).hasSize(1);
        TargetDefinition target = upstream.steering()
                .split()
                .orElseThrow()
                .branches()
                .getFirst()
                .targets()
                .getFirst();
        assertThat(target.tls().orElseThrow().serverName()).isEqualTo("canary.internal");
    }

    @Test
    void a_branch_by_https_is_checked_as_the_others_are() {
        var node = node("{'targets': [{'url': 'http://a'}], 'healthCheck': {},"
                + " 'split': {'branches': [{'name': 'canary', 'percent': 1, 'targets': [{'url': 'https://b'}]}]}}");

        new UpstreamReader(AllowedNetworks.USUAL).read(node, "orders");

        assertThat(node.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                                     | /branches: expected 1 to 16 branches, got 0
        {'branches': {}}                                       | /branches: expected an array, got {}
        {'branches': [{T, 'percent': 1}]}                      | /branches/0/name: expected text, got nothing
        {'branches': [{T, 'percent': 1, 'name': 'a b'}]}       | /branches/0/name: expected 1 to 64 letters, digits, '.', '_' or '-', got "a b"
        {'branches': [{T, 'percent': 1, 'name': 'main'}]}      | /branches/0/name: expected a name of its own, got "main", which is taken
        {'branches': [{T, 'percent': 1, 'name': 'a'}, {T, 'percent': 1, 'name': 'a'}]} | /branches/1/name: expected a name of its own, got "a", which is taken
        {'branches': [{T, 'percent': 101, 'name': 'a'}]}       | /branches/0/percent: expected 0 to 100, got 101
        {'branches': [{T, 'percent': 60, 'name': 'a'}, {T, 'percent': 41, 'name': 'b'}]} | /branches: expected percentages of 100 or less in all, got 101
        {'branches': [{T, 'name': 'a'}]}                       | /branches/0: expected "percent", "when" or both, got neither
        {'branches': [{T, 'name': 'a', 'when': {'x': 1}}]}     | /branches/0/when/x: unknown field
        {'branches': [{'name': 'a', 'percent': 1}]}            | /branches/0/targets: expected an array of targets, got nothing
        {'branches': [{'name': 'a', 'percent': 1, 'targets': [{'url': 'http://169.254.169.254'}]}]} | /branches/0/targets/0/url: expected an address that the gateway may call, got 169.254.169.254
        {'branches': [{T, 'name': 'a', 'percent': 1, 'weight': 1}]} | /branches/0/weight: unknown field
        {'branches': [{T, 'name': 'a', 'percent': 1}], 'stickBy': 'luck'} | /stickBy: expected "ip", "key", "header:<name>" or "cookie:<name>", got "luck"
        {'branches': [{T, 'name': 'a', 'percent': 1}], 'stickBy': 'header:x_u'} | /stickBy: expected a header name without '_', which no request arrives with, got "x_u"
        {'branches': [{T, 'name': 'a', 'percent': 1}], 'stickBy': 'ip', 'cookieAge': '1h'} | /cookieAge: expected nothing, since "stickBy" names no cookie
        {'branches': [{T, 'name': 'a', 'percent': 1}], 'stickBy': 'cookie:x', 'cookieAge': '0s'} | /cookieAge: expected a duration from 1s to 400d, got "0s"
        """)
    void refuses_what_is_wrong_under_its_pointer(String split, String problem) {
        var node = node(split.replace("T", TARGETS));

        read(node);

        assertThat(node.problems().stream().map(ConfigProblem::toString)).containsExactly(problem);
    }

    private static SplitDefinition read(ConfigNode node) {
        return SplitReader.read(node, new UpstreamReader(AllowedNetworks.USUAL));
    }

    private static ConfigNode node(String json) {
        return ConfigNode.parse(json.replace('\'', '"'));
    }
}
