package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.net.UpstreamTls;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UpstreamTlsReaderTest {
    private static final String DIGEST = "00".repeat(32);

    @Test
    void a_target_by_https_asks_for_its_own_name_and_trusts_whom_java_trusts() {
        assertThat(new TargetDefinition(URI.create("https://orders.example:8443/x"), 1).tls())
                .contains(UpstreamTls.to("orders.example"));
        assertThat(new TargetDefinition(URI.create("https://[::1]:8443"), 1).tls())
                .contains(UpstreamTls.to("::1"));
        assertThat(new TargetDefinition(URI.create("http://orders.example"), 1).tls())
                .isEmpty();
    }

    @Test
    void reads_files_name_and_pins_for_every_target_by_https() {
        var node = ConfigNode.parse(("{'ca': 'ca.pem', 'certificate': 'own.pem', 'key': 'own.key', 'pins': ['sha256/"
                        + "A".repeat(43) + "=', '" + DIGEST + "']}")
                .replace('\'', '"'));

        List<TargetDefinition> secured = UpstreamTlsReader.secured(
                List.of(
                        new TargetDefinition(URI.create("https://a.example"), 1),
                        new TargetDefinition(URI.create("http://b.example"), 2)),
                node);

        assertThat(node.problems()).isEmpty();
        assertThat(secured.getFirst().tls())
                .contains(new UpstreamTls(
                        Optional.of(Path.of("ca.pem")),
                        Optional.of(Path.of("own.pem")),
                        Optional.of(Path.of("own.key")),
                        "a.example",
                        List.of(DIGEST, DIGEST)));
        assertThat(secured.getLast().tls()).isEmpty();
    }

    @Test
    void names_each_wrong_field() {
        assertThat(problems(
                        "https://a.example",
                        "{'key': 'k', 'serverName': 'a b', 'pins': ['sha256/AAAA', 'x'], 'verify': false, 'ca': 7}"))
                .containsExactlyInAnyOrder(
                        "/ca: expected text, got 7",
                        "/serverName: expected a host name, got \"a b\"",
                        "/pins/0: expected \"sha256/\" and 32 bytes in base64, or 64 hexadecimal digits",
                        "/pins/1: expected \"sha256/\" and 32 bytes in base64, or 64 hexadecimal digits",
                        "/key: expected nothing, since there is no certificate",
                        "/verify: unknown field");
        assertThat(problems("http://a.example", "{}"))
                .containsExactly("/: expected nothing, since no target begins with https://");
    }

    private static List<String> problems(String url, String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        UpstreamTlsReader.secured(List.of(new TargetDefinition(URI.create(url), 1)), node);
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }
}
