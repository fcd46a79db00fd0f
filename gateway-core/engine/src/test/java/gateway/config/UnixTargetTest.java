package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.net.AllowedNetworks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnixTargetTest {
    @ParameterizedTest
    @ValueSource(strings = {"unix:/run/app.sock", "unix:///run/app.sock", "http+unix://%2Frun%2Fapp.sock"})
    void a_unix_domain_socket_is_refused_with_what_to_do(String url) {
        var node = ConfigNode.parse("{\"targets\": [{\"url\": \"" + url + "\"}]}");

        new UpstreamReader(AllowedNetworks.USUAL).read(node, "orders");

        assertThat(node.problems().stream().map(ConfigProblem::toString))
                .containsExactly("/targets/0/url: expected a URL such as \"http://127.0.0.1:9001\", got \"" + url
                        + "\"; Unix-domain sockets cannot be reached, let the server listen on loopback");
    }
}
