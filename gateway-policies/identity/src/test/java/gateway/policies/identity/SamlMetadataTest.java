package gateway.policies.identity;

import static gateway.Eventually.until;
import static gateway.policies.identity.SamlCase.header;
import static gateway.policies.identity.SamlCase.problems;
import static gateway.policies.identity.SamlCase.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.service.CallAnswer;
import gateway.service.DependencyException;
import gateway.service.Served;
import gateway.service.Workers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Issuers whose keys are fetched with their metadata.
@Timeout(60)
final class SamlMetadataTest {
    private static final SamlSmith OLD = SamlSmith.rsa(2048);
    private static final SamlSmith NEW = SamlSmith.ec();
    private static final SamlSmith FEDERATION = SamlSmith.rsa(2048);
    private static final String HOST = "https://idp.example.com";
    private static final String INVALID = "401 The assertion is invalid";
    private static final String OFTEN = ", 'refresh': '1s', 'refetch': '1s'";

    private final SamlCase one = new SamlCase(OLD);
    private final List<Served> served = new ArrayList<>();

    @AfterEach
    void end() {
        served.forEach(Served::retired);
        one.services.refresher().close();
    }

    private void tell(int status, String text) {
        one.services
                .calls()
                .serve(
                        HOST,
                        _ -> new CallAnswer(status, Headers.create(), Body.of(text.getBytes(StandardCharsets.UTF_8))));
    }

    /// As it is once its definition is served.
    private Policy policy(String more) {
        return policy(more, "orders");
    }

    private Policy policy(String more, String api) {
        var node = ConfigNode.parse(("{'from': 'header', 'audience': 'urn:orders', 'once': false, 'trust': {'issuer':"
                        + " 'https://idp.example.com', 'metadataUrl': 'https://idp.example.com/saml?x=1'" + more + "}}")
                .replace('\'', '"'));
        Saml spec = new Saml.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        Policy policy = spec.compile(new PolicyPlace(api, "saml"), one.services);
        var fetched = (Served) spec.trust().signers(one.services);
        fetched.served();
        served.add(fetched);
        return policy;
    }

    private String by(SamlSmith smith) {
        return smith.sign(one.assertion(), "assertion");
    }

    @Test
    void takes_assertions_by_the_keys_that_the_metadata_names() {
        tell(200, SamlSmith.metadata("", OLD, NEW));
        Policy policy = policy("");

        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");
        assertThat(said(policy, header(by(NEW)))).isEqualTo("passes");
        assertThat(said(policy, header(by(FEDERATION)))).isEqualTo(INVALID);
        assertThat(one.services.calls().asked()).containsExactly("GET https://idp.example.com/saml?x=1");
    }

    @Test
    void a_key_that_is_not_known_yet_is_asked_for_whether_the_message_shows_it_or_not() {
        for (boolean shown : List.of(true, false)) {
            tell(200, SamlSmith.metadata("", OLD));
            Policy policy = policy(", 'refetch': '1s', 'stale': '" + (shown ? "2d" : "3d") + "'");
            assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");

            tell(200, SamlSmith.metadata("", NEW));
            String xml = by(NEW);
            String showing = xml.replace(
                    "</ds:Signature>",
                    "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>" + NEW.base64()
                            + "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>");

            until(() -> said(policy, header(shown ? showing : xml)).equals("passes"));
            assertThat(said(policy, header(by(OLD)))).isEqualTo(INVALID);
        }
    }

    @Test
    void made_up_keys_are_asked_for_at_a_bounded_rate() {
        tell(200, SamlSmith.metadata("", OLD));
        Policy policy = policy("");
        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");

        for (int i = 0; i < 50; i++)
            assertThat(said(policy, header(by(FEDERATION)))).isEqualTo(INVALID);

        assertThat(one.services.calls().asked()).hasSize(1);
    }

    @Test
    void verifications_that_wait_while_keys_are_rotated_go_by_those_they_came_with_and_by_the_new_ones()
            throws Exception {
        tell(200, SamlSmith.metadata("", OLD));
        Policy policy = policy(OFTEN);
        Policy beside = policy(OFTEN, "books");
        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");
        Workers workers = one.services.workers();
        long taken = workers.taken();
        var parsed = new CountDownLatch(1);
        var verified = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            occupy(callers, parsed);
            until(() -> workers.taken() == taken + 1);
            var old = callers.submit(() -> said(policy, header(by(OLD))));
            var next = callers.submit(() -> said(policy, header(by(NEW))));
            until(() -> workers.waiting() == 2); // to be parsed
            occupy(callers, verified);
            until(() -> workers.waiting() == 3);
            parsed.countDown();
            until(() -> workers.taken() == taken + 4 && workers.waiting() == 2); // to be verified

            tell(200, SamlSmith.metadata("", NEW));
            until(() -> said(beside, header(by(NEW))).equals("passes"));
            verified.countDown();

            assertThat(List.of(old.get(), next.get())).containsOnly("passes");
        } finally {
            parsed.countDown();
            verified.countDown();
        }
        assertThat(said(policy, header(by(OLD)))).isEqualTo(INVALID);
    }

    /// The one worker that an API has of two, until it is let go.
    private void occupy(ExecutorService callers, CountDownLatch end) {
        var _ = callers.submit(() -> one.services.workers().callBriefly("orders", () -> {
            end.await();
            return "";
        }));
    }

    @Test
    void what_is_no_good_metadata_tells_no_keys() {
        String good = SamlSmith.metadata("", NEW);
        for (String wrong : List.of(
                "",
                "<html/>",
                "{}",
                "<!DOCTYPE x>" + good,
                good.replace(HOST, "https://other.example.com"),
                good.replace("IDPSSODescriptor", "SPSSODescriptor"),
                good.replace("use=\"signing\"", "use=\"encryption\""),
                good.replace("<ds:X509Certificate>", "<ds:X509Certificate>AAAA"),
                SamlSmith.metadata("", SamlSmith.rsa(1024)),
                SamlSmith.metadata("validUntil=\"" + one.now() + "\"", NEW),
                SamlSmith.metadata("validUntil=\"tomorrow\"", NEW),
                good.replace("<md:IDPSSODescriptor", "<md:IDPSSODescriptor validUntil=\"" + one.now() + '"'))) {
            assertThat(told(wrong)).as(wrong).isEmpty();
        }
        assertThat(told(good)).isPresent();
        assertThat(told(SamlSmith.metadata("validUntil=\"" + one.now().plusSeconds(1) + "\"", NEW)))
                .isPresent();
    }

    private Optional<List<SamlSigner>> told(String metadata) {
        return SamlMetadata.fetched(metadata.getBytes(StandardCharsets.UTF_8), HOST, List.of(), one.now());
    }

    @Test
    void keys_stay_while_there_are_no_good_new_ones() {
        tell(200, SamlSmith.metadata("", OLD));
        Policy policy = policy(OFTEN);
        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");

        tell(200, SamlSmith.metadata("", Stream.generate(SamlSmith::ec).limit(9).toArray(SamlSmith[]::new)));
        failsOnceMore();
        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");
        tell(404, SamlSmith.metadata("", NEW));
        failsOnceMore();
        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");

        tell(200, SamlSmith.metadata("", NEW));
        until(() -> saidOrNone(policy, header(by(NEW))).equals("passes"));
        assertThat(said(policy, header(by(OLD)))).isEqualTo(INVALID);
    }

    private void failsOnceMore() {
        long before = one.services.refresher().failures();
        until(() -> one.services.refresher().failures() > before);
    }

    private static String saidOrNone(Policy policy, Exchange exchange) {
        try {
            return said(policy, exchange);
        } catch (DependencyException e) {
            return "none";
        }
    }

    @Test
    void without_keys_or_with_old_ones_nobody_is_refused_but_who_brings_nothing() {
        tell(500, "");
        Policy policy = policy(OFTEN);
        assertThatThrownBy(() -> said(policy, header(by(OLD)))).isInstanceOf(DependencyException.class);
        assertThat(said(policy, Exchanges.get("/").make())).isEqualTo("401 The assertion is missing");

        tell(200, SamlSmith.metadata("", OLD));
        until(() -> saidOrNone(policy, header(by(OLD))).equals("passes"));
        tell(500, "");
        failsOnceMore();
        one.services.clock().advance(Duration.ofHours(23));
        assertThat(said(policy, header(by(OLD)))).isEqualTo("passes");
        one.services.clock().advance(Duration.ofHours(2));
        assertThatThrownBy(() -> said(policy, header(by(OLD)))).isInstanceOf(DependencyException.class);
    }

    @Test
    void metadata_is_taken_by_its_signature_where_somebody_has_to_have_signed_it() {
        String pem = FEDERATION.pem().replace("\n", "\\n");
        String metadata = SamlSmith.metadata("ID=\"metadata\"", OLD);
        String signed = FEDERATION.sign(metadata, "metadata");
        tell(200, signed);
        assertThat(said(policy(", 'metadataSignedBy': '" + pem + "'"), header(by(OLD))))
                .isEqualTo("passes");

        int stale = 2;
        for (String wrong : List.of(
                metadata,
                NEW.sign(metadata, "metadata"),
                signed.replace(OLD.base64(), NEW.base64()),
                "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\">"
                        + SamlSmith.metadata("", OLD) + signed + "</md:EntitiesDescriptor>")) {
            tell(200, wrong);
            Policy policy = policy(", 'stale': '" + stale++ + "d', 'metadataSignedBy': '" + pem + "'");

            assertThatThrownBy(() -> said(policy, header(by(OLD)))).as(wrong).isInstanceOf(DependencyException.class);
        }
    }

    @Test
    void tells_what_is_wrong_with_a_definition() {
        String start = "{'from': 'header', 'audience': 'a', 'trust': {'issuer': 'i', ";
        assertThat(problems(start + "'metadataUrl': 'http://idp.example.com'}}"))
                .containsExactly(
                        "/trust/metadataUrl: expected https://, since \"allowPlaintext\" is not true, got http://");
        assertThat(problems(start + "'metadataUrl': 'https://idp.example.com', 'metadata': '<a/>'}}"))
                .contains("/trust: expected one of certificates, metadata and metadataUrl, got 2");
        assertThat(problems(start + "'metadataUrl': 'https://idp.example.com', 'metadataSignedBy': 'x'}}"))
                .singleElement()
                .asString()
                .startsWith("/trust/metadataSignedBy: expected PEM of 1 to 8");
        String stored = start + "'certificates': {'resource': 'idp.pem'}, ";
        assertThat(problems(stored + "'refresh': '1h'}}"))
                .containsExactly("/trust/refresh: expected nothing, since its keys are not fetched");
        assertThat(problems(stored + "'metadataSignedBy': {'resource': 'fed.pem'}}}"))
                .containsExactly("/trust/metadataSignedBy: expected only with metadataUrl");
    }
}
