package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.net.UpstreamProtocol;
import gateway.service.CallTarget;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CallTargetReaderTest {
    @Test
    void a_url_alone_is_called_as_any_client_would() {
        ConfigNode node = node("{\"url\": \"https://idp.example:8443/base\"}");

        CallTarget target = CallTargetReader.read(node);

        assertThat(target).isEqualTo(CallTarget.of(URI.create("https://idp.example:8443/base")));
        assertThat(target.name()).isEqualTo("https://idp.example:8443");
        assertThat(target.tls().orElseThrow().serverName()).isEqualTo("idp.example");
        assertThat(node.problems()).isEmpty();
    }

    @Test
    void tls_protocol_and_time_to_connect_are_those_of_an_upstream() {
        ConfigNode node = node("""
                {"url": "https://10.0.0.1", "tls": {"serverName": "idp.example"}, "protocol": "auto",
                 "connectTimeout": "250ms"}""");

        CallTarget target = CallTargetReader.read(node);

        assertThat(target.tls().orElseThrow().serverName()).isEqualTo("idp.example");
        assertThat(target.protocol()).isEqualTo(UpstreamProtocol.AUTO);
        assertThat(target.connectTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(node.problems()).isEmpty();
    }

    @Test
    void every_problem_stands_under_its_pointer() {
        ConfigNode node = node("""
                {"url": "ftp://idp.example", "protocol": "h2", "connectTimeout": "2h", "timeOut": "1s"}""");

        CallTargetReader.read(node);

        assertThat(node.problems().stream().map(problem -> problem.pointer()))
                .containsExactlyInAnyOrder("/url", "/protocol", "/connectTimeout", "/timeOut");
    }

    private static ConfigNode node(String json) {
        return ConfigNode.parse(json);
    }
}
