package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.policies.cryptography.KeySet;
import gateway.policies.cryptography.LocalKeys;
import gateway.policies.cryptography.SigningAlgorithm;
import gateway.policies.cryptography.TokenSmith;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.CallAnswer;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// How the gateway proves to a server of tokens who it is, where no secret is shared.
@Timeout(60)
final class TokenClientTest {
    private static final String URL = "https://id.example.com/token?tenant=a";
    private static final String SIGNS = "'method': 'private-key-jwt', 'key': {'secret': 'key'}, 'keyId': 'g1'";
    private static final String TLS = ", 'tls': {'certificate': '/gateway.pem'}";

    private final FakeServices services = new FakeServices();
    private final TokenSmith smith = TokenSmith.of("ES256", "g1");
    private final List<FormParameters> forms = new CopyOnWriteArrayList<>();
    private final List<Headers> fields = new CopyOnWriteArrayList<>();

    @BeforeEach
    void serve() {
        services.secrets().put(Origin.SECRET, "key", smith.pairPem());
        services.secrets().put(Origin.SECRET, "text", "hush");
        services.calls().serve("https://id.example.com", request -> {
            forms.add(FormParameters.parse(new String(request.body().bytes(100_000), StandardCharsets.UTF_8))
                    .orElseThrow());
            fields.add(request.headers());
            String answer = "{\"active\": true, \"sub\": \"a\", \"access_token\": \"t\", \"token_type\": \"Bearer\","
                    + " \"expires_in\": 60}";
            return new CallAnswer(200, Headers.create(), Body.of(answer.getBytes(StandardCharsets.UTF_8)));
        });
    }

    @Test
    void each_question_has_a_token_of_its_own_that_only_the_holder_of_the_key_can_sign() {
        Policy policy = upstreamAuth(SIGNS, "");
        passes(policy, Exchanges.get("/").make());
        services.clock().advance(Duration.ofMinutes(2));
        passes(policy, Exchanges.get("/").make());

        assertThat(forms).hasSize(2);
        CompactToken first = assertion(forms.getFirst());
        CompactToken second = assertion(forms.getLast());
        assertThat(first.keyId()).isEqualTo("g1");
        JsonNode claims = first.claims();
        assertThat(List.of(text(claims, "iss"), text(claims, "sub"), text(claims, "aud")))
                .containsExactly("gw", "gw", URL);
        assertThat(claims.get("exp").asLong() - claims.get("iat").asLong()).isEqualTo(60);
        assertThat(text(claims, "jti")).isNotEqualTo(text(second.claims(), "jti"));
        assertThat(forms.getFirst().text("client_id")).isEqualTo("gw");
        assertThat(forms.getFirst().text("client_secret")).isEmpty();
        assertThat(fields).noneMatch(each -> each.contains("Authorization"));
    }

    @Test
    void an_assertion_is_for_whom_is_asked_or_whom_the_definition_says() {
        passes(introspection(SIGNS), bearing());
        passes(introspection(SIGNS + ", 'audience': 'https://id.example.com/realms/a'"), bearing());

        assertThat(forms.stream()
                        .map(this::assertion)
                        .map(each -> text(each.claims(), "aud"))
                        .toList())
                .containsExactly("https://id.example.com/introspect", "https://id.example.com/realms/a");
    }

    @Test
    void a_client_that_its_certificate_proves_says_its_name_alone() {
        passes(upstreamAuth("'method': 'tls'", TLS), Exchanges.get("/").make());

        assertThat(forms.getFirst().text("client_id")).isEqualTo("gw");
        assertThat(List.of(
                        forms.getFirst().text("client_secret"), forms.getFirst().text("client_assertion")))
                .containsOnly("");
        assertThat(fields.getFirst().contains("Authorization")).isFalse();
    }

    @Test
    void what_does_not_belong_to_a_method_and_what_it_lacks_are_told() {
        assertThat(problems("'method': 'tls'", ""))
                .containsExactly("/oauth2/client/method: expected a certificate in \"tls\"");
        assertThat(problems("'method': 'tls', 'secret': {'secret': 'text'}", TLS))
                .singleElement()
                .asString()
                .startsWith("/oauth2/client/secret: ");
        assertThat(problems(SIGNS + ", 'secret': {'secret': 'text'}", ""))
                .singleElement()
                .asString()
                .startsWith("/oauth2/client/secret: ");
        assertThat(problems("'method': 'private-key-jwt'", ""))
                .singleElement()
                .asString()
                .startsWith("/oauth2/client/key: ");
        assertThat(problems("'secret': {'secret': 'text'}, 'key': {'secret': 'key'}", ""))
                .singleElement()
                .asString()
                .startsWith("/oauth2/client/key: ");
    }

    @Test
    void a_key_that_is_none_is_told_under_its_place_and_without_its_text() {
        services.secrets().put(Origin.SECRET, "key", "hush");

        assertThatThrownBy(() -> upstreamAuth(SIGNS, ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/oauth2/client/key")
                .hasMessageNotContaining("hush");
    }

    private CompactToken assertion(FormParameters form) {
        assertThat(form.text("client_assertion_type"))
                .isEqualTo("urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        CompactToken token = CompactToken.parse(form.text("client_assertion")).orElseThrow();
        KeySet keys =
                LocalKeys.ofPem(smith.pem(), Set.of(SigningAlgorithm.ES256)).current();
        assertThat(keys.signer(token)).isPresent();
        return token;
    }

    private static String text(JsonNode claims, String name) {
        return claims.get(name).stringValue();
    }

    private static void passes(Policy policy, Exchange exchange) {
        assertThat(policy.apply(exchange)).isInstanceOf(Verdict.Proceed.class);
    }

    private static ConfigNode definition(String client, String more) {
        return ConfigNode.parse(
                ("{'oauth2': {'tokenUrl': '" + URL + "', 'client': {'id': 'gw', " + client + '}' + more + "}}")
                        .replace('\'', '"'));
    }

    private Policy upstreamAuth(String client, String more) {
        ConfigNode node = definition(client, more);
        UpstreamAuth spec = new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "upstream-auth"), services);
    }

    private Policy introspection(String client) {
        ConfigNode node = ConfigNode.parse(("{'url': 'https://id.example.com/introspect', 'audiences': [], 'client':"
                        + " {'id': 'gw', " + client + "}}")
                .replace('\'', '"'));
        OAuth2Introspection spec = new OAuth2Introspection.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "oauth2-introspection"), services);
    }

    private static Exchange bearing() {
        return Exchanges.get("/").with("Authorization", "Bearer a").make();
    }

    private static List<String> problems(String client, String more) {
        ConfigNode node = definition(client, more);
        new UpstreamAuth.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }
}
