package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import gateway.policy.FakeServices;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AnyOfTest {
    private static final String BASIC = """
            {'type': 'basic-auth', 'users': [{'name': 'alice', 'password':
             '$2a$04$CjMAXZWVYIRSV8HcbwxtyO6oaIc.RR9eyN9W0Mk2ItcQGbZSWh1Im', 'tags': ['people']}]}""";
    private static final String KEY = "{'type': 'key-auth', 'header': 'X-Api-Key'}";
    private static final String MTLS = "{'type': 'mtls-auth'}";
    private static final ClientCertificate CERTIFICATE =
            new ClientCertificate("ab".repeat(32), new X500Principal("CN=billing"));

    private final DefinitionReader reader = new DefinitionReader(PolicyRegistry.load());
    private final FakeServices services = new FakeServices();

    @BeforeEach
    void addKey() {
        services.keys()
                .add(
                        "s3cret",
                        new ApiKey(
                                "robot",
                                "Robot",
                                true,
                                Optional.empty(),
                                Map.of("orders", ApiGrant.WHOLE),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                Map.of()));
    }

    @Test
    void whoever_shows_one_of_the_credentials_is_known_by_it() {
        Pipeline pipeline = pipeline("");
        Exchange byKey = Exchanges.get("/").with("X-Api-Key", "s3cret").make();
        Exchange byCertificate = Exchanges.get("/").showing(CERTIFICATE).make();

        assertThat(run(pipeline, byKey).status()).isEqualTo(200);
        assertThat(run(pipeline, byCertificate).status()).isEqualTo(200);

        assertThat(byKey.consumer().map(Consumer::id)).contains("robot");
        assertThat(byKey.outgoing().headers().contains("X-Api-Key")).isFalse();
        assertThat(byCertificate.consumer().map(Consumer::id)).contains("certificate:" + "ab".repeat(32));
    }

    @Test
    void a_wrong_credential_is_refused_by_its_own_policy_whatever_else_would_be_taken() {
        Response refusal = run(
                pipeline(", 'anonymous': {'name': 'guest'}"),
                Exchanges.get("/").with("X-Api-Key", "wrong").make());

        assertThat(refusal.status()).isEqualTo(401);
        assertThat(refusal.headers().all("WWW-Authenticate")).containsExactly("ApiKey realm=\"orders\"");
    }

    @Test
    void without_any_credential_every_challenge_is_told_on_a_line_of_its_own() {
        Response refusal = run(pipeline(""), Exchanges.get("/").make());

        assertThat(refusal.status()).isEqualTo(401);
        assertThat(refusal.reason()).isEqualTo("unauthenticated");
        assertThat(refusal.headers().all("WWW-Authenticate"))
                .containsExactly(
                        "ApiKey realm=\"orders\"",
                        "Basic realm=\"orders\", charset=\"UTF-8\"",
                        "Certificate realm=\"orders\"");
    }

    @Test
    void without_any_credential_a_guest_may_be_let_in() {
        Exchange exchange = Exchanges.get("/").make();

        Response response = run(pipeline(", 'anonymous': {'name': 'visitor', 'tags': ['anonymous']}"), exchange);

        assertThat(response.status()).isEqualTo(200);
        assertThat(exchange.consumer().orElseThrow().id()).isEqualTo("anonymous:visitor");
        assertThat(exchange.consumer().orElseThrow().tags()).containsExactly("anonymous");
    }

    @Test
    void credentials_in_several_places_are_refused_since_who_sends_and_who_reads_may_mean_different_ones() {
        Response refusal = run(
                pipeline(""),
                Exchanges.get("/")
                        .with("X-Api-Key", "s3cret")
                        .with("Authorization", basic("alice", "x"))
                        .make());

        assertThat(refusal.status()).isEqualTo(400);
        assertThat(refusal.reason()).isEqualTo("ambiguous-credentials");
    }

    @Test
    void or_the_first_of_the_list_decides_and_none_of_the_others_reaches_the_upstream() {
        Exchange exchange = Exchanges.get("/")
                .with("Authorization", basic("alice", "x"))
                .with("X-Api-Key", "s3cret")
                .showing(CERTIFICATE)
                .make();

        Response response = run(pipeline(", 'several': 'first'"), exchange);

        assertThat(response.status()).isEqualTo(200);
        assertThat(exchange.consumer().map(Consumer::id)).contains("robot");
        assertThat(exchange.outgoing().headers().contains("Authorization")).isFalse();
        assertThat(exchange.outgoing().headers().contains("X-Api-Key")).isFalse();
    }

    @Test
    void two_policies_that_look_at_one_place_see_one_credential() {
        Pipeline pipeline = compiled(definition("[{'type': 'key-auth'}, " + BASIC + "]", ""));
        Exchange exchange =
                Exchanges.get("/").with("Authorization", "Bearer s3cret").make();

        assertThat(run(pipeline, exchange).status()).isEqualTo(200);
    }

    @Test
    void what_is_open_to_everybody_needs_none_and_passes_none_on() {
        Exchange exchange = Exchanges.get("/").with("X-Api-Key", "wrong").make();
        exchange.waiveAuthentication();

        assertThat(run(pipeline(""), exchange).status()).isEqualTo(200);
        assertThat(exchange.outgoing().headers().contains("X-Api-Key")).isFalse();
        assertThat(exchange.consumer()).isEmpty();
    }

    @Test
    void an_outage_of_the_one_that_decides_is_an_outage_and_no_refusal() {
        services.keys().goAway();
        Pipeline pipeline = pipeline("");

        Response key =
                run(pipeline, Exchanges.get("/").with("X-Api-Key", "s3cret").make());
        Response certificate =
                run(pipeline, Exchanges.get("/").showing(CERTIFICATE).make());

        assertThat(key.status()).isEqualTo(503);
        assertThat(certificate.status()).isEqualTo(200);
    }

    @Test
    void brings_what_each_of_them_brings_once() {
        assertThat(pipeline("")).hasToString("[any-of, key:rate-limit, key:quota]");
        assertThat(definition("[" + KEY + "," + BASIC + "]", "")
                        .policies()
                        .getFirst()
                        .spec()
                        .credentials()
                        .headers())
                .contains("X-Api-Key");
    }

    @Test
    void bad_input_is_told_under_its_pointer() {
        assertThat(problems("[" + KEY + "]")).containsExactly("/policies/0/policies: expected 2 to 8 policies, got 1");
        assertThat(problems("[{'type': 'cors'}, {'type': 'any-of'}, {'type': 'key-auth', 'when': {}, 'colour': 1}]"))
                .anyMatch(each -> each.startsWith("/policies/0/policies/0/type: expected one of basic-auth, key-auth,"))
                .anyMatch(each -> each.startsWith("/policies/0/policies/1/type: expected one of"))
                .contains("/policies/0/policies/2/when: unknown field", "/policies/0/policies/2/colour: unknown field");
        assertThat(problems("[{'type': 'key-auth', 'header': 'a b'}, {'type': 'basic-auth'}]"))
                .anyMatch(each -> each.startsWith("/policies/0/policies/0/header: expected"))
                .anyMatch(each -> each.startsWith("/policies/0/policies/1/users: expected"));
    }

    private Pipeline pipeline(String more) {
        return compiled(definition("[" + KEY + "," + BASIC + "," + MTLS + "]", more));
    }

    private Pipeline compiled(ApiDefinition api) {
        return Pipeline.compile("orders", api.policies(), (_, _) -> Response.of(200), services);
    }

    private ApiDefinition definition(String policies, String more) {
        ConfigNode node = node(policies, more);
        ApiDefinition api = reader.read(node);
        assertThat(node.problems()).isEmpty();
        return api;
    }

    private List<String> problems(String policies) {
        ConfigNode node = node(policies, "");
        reader.read(node);
        return node.problems().stream().map(Object::toString).toList();
    }

    private static ConfigNode node(String policies, String more) {
        return ConfigNode.parse(("{'id': 'orders', 'match': {'path': '/'}, 'policies': [{'type': 'any-of', 'policies': "
                        + policies + more + "}], 'upstream': {'targets': [{'url': 'http://127.0.0.1:9'}]}}")
                .replace('\'', '"'));
    }

    private static Response run(Pipeline pipeline, Exchange exchange) {
        return pipeline.run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
    }

    private static String basic(String user, String password) {
        byte[] both = (user + ':' + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }
}
