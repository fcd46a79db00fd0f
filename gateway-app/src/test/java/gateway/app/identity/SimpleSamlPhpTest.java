package gateway.app.identity;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.FreePort;
import gateway.policies.identity.SamlSmith;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// People who bring assertions of SimpleSAMLphp with a real browser.
@Tag("proofs")
@Timeout(400)
final class SimpleSamlPhpTest {
    private final String place = "http://127.0.0.1:" + FreePort.take() + "/";

    @TempDir
    private Path data;

    @Test
    void a_person_brings_its_assertion_once_and_one_by_its_next_key() throws Exception {
        try (SimpleSamlPhp provider = SimpleSamlPhp.start(data.resolve("provider"), SamlSmith.rsa(2048), place);
                GuardedGateway gateway = start(provider);
                Chromium chromium = Chromium.start(data.resolve("profile"))) {
            chromium.open(provider.door());
            chromium.type("#username", "alice");
            chromium.type("#password", "wonderland");
            chromium.click("#submit_button");
            until(() -> gateway.bodies().size() == 1, chromium::text);
            assertThat(chromium.place()).isEqualTo(place);
            String shown = gateway.bodies().getFirst();
            assertThat(shown).startsWith("SAMLResponse=");
            assertThat(status(shown)).isEqualTo(401); // a second time

            provider.signWith(SamlSmith.rsa(3072));
            chromium.open(provider.door()); // who is still logged in there
            until(() -> gateway.bodies().size() == 2, chromium::text);
            assertThat(gateway.bodies().getLast()).isNotEqualTo(shown);
        }
    }

    /// Of a form that somebody sends.
    private int status(String form) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(place))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    private GuardedGateway start(SimpleSamlPhp provider) {
        return GuardedGateway.start(
                data.resolve("gateway"),
                """
                {"type": "saml", "from": "form", "audience": "urn:orders", "recipient": "%s",
                 "trust": {"issuer": "%s", "metadataUrl": "%s", "refetch": "1s"},
                 "consumer": {"tags": "attribute:groups"}}, {"type": "authorize", "rules": [{"tags": ["orders.read"]}]}""".formatted(place, SimpleSamlPhp.ISSUER, provider.metadataUrl()),
                Map.of("GATEWAY_LISTEN", URI.create(place).getAuthority()));
    }
}
