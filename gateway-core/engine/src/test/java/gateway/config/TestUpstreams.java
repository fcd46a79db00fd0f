package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.net.AllowedNetworks;
import gateway.net.IpRange;
import java.util.List;

/// Upstreams read from JSON that is written with single quotes.
final class TestUpstreams {
    static final String TARGETS = "'targets': [{'url': 'http://h'}]";

    private TestUpstreams() {}

    /// One without a problem.
    static UpstreamDefinition read(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        UpstreamDefinition upstream = new UpstreamReader(AllowedNetworks.USUAL).read(node, "orders");
        assertThat(node.problems()).isEmpty();
        return upstream;
    }

    static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        var networks = AllowedNetworks.of(List.of(new IpRange(4, 0, 10L << 24, 8)));
        new UpstreamReader(networks).read(node, "orders");
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }
}
