package gateway.policies.identity;

import gateway.http.ContentCodings;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// A policy `saml` on services of fakes, and requests to it.
final class SamlCase {
    final SamlSmith smith;
    final FakeServices services = new FakeServices();

    SamlCase(SamlSmith smith) {
        this.smith = smith;
    }

    Instant now() {
        return services.clock().instant();
    }

    /// @param more what else the definition says, such as `'once': false`
    Policy policy(String from, String more) {
        return read("{'from': '" + from + "', 'audience': 'urn:orders', " + (more.isEmpty() ? "" : more + ", ")
                + trust(smith) + ", 'recipient': 'https://api.example.com/orders'}");
    }

    static String trust(SamlSmith smith) {
        String pem = smith.pem().replace("\n", "\\n");
        return "'trust': {'issuer': 'https://idp.example.com', 'certificates': '" + pem + "'}";
    }

    Policy read(String json) {
        return spec(json).compile(new PolicyPlace("orders", "saml"), services);
    }

    static Saml spec(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        Saml spec = new Saml.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec;
    }

    static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new Saml.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(Object::toString).toList();
    }

    /// An assertion with a new id, good now.
    String assertion() {
        return SamlSmith.assertion("assertion", now());
    }

    String signed() {
        return smith.sign(assertion(), "assertion");
    }

    static Exchange header(String xml) {
        String text = Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
        return Exchanges.get("/").with("Authorization", "SAML " + text).make();
    }

    static Exchange form(String xml) {
        String text = Base64.getMimeEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
        String form = "a=1&SAMLResponse=" + URLEncoder.encode(text, StandardCharsets.UTF_8) + "&RelayState=x";
        return held("application/x-www-form-urlencoded", form.getBytes(StandardCharsets.UTF_8));
    }

    static Exchange soap(String xml) {
        return held("text/xml; charset=utf-8", xml.getBytes(StandardCharsets.UTF_8));
    }

    /// As the pipeline makes it ready.
    static Exchange held(String type, byte[] content) {
        Exchange exchange = Exchanges.of("POST", "/")
                .with("Content-Type", type)
                .body(content)
                .make();
        exchange.outgoing()
                .hold(exchange.held()
                        .orElseThrow()
                        .undone(ContentCodings.ENGINE, exchange.headers(), 1 << 20, UpstreamWaiter.NOBODY));
        return exchange;
    }

    /// What it is refused with; empty: it passes.
    static Optional<Response> stop(Policy policy, Exchange exchange) {
        return switch (policy.apply(exchange)) {
            case Verdict.Stop(Response response) -> Optional.of(response);
            case Verdict.Answer(Response response, var _) -> Optional.of(response);
            case Verdict.Proceed(var _) -> Optional.empty();
        };
    }

    /// `passes`, or what the refusal says.
    static String said(Policy policy, Exchange exchange) {
        return stop(policy, exchange)
                .map(response -> response.status() + " " + member(response, "detail"))
                .orElse("passes");
    }

    static String member(Response response, String name) {
        byte[] content = response.body().bytes(Long.MAX_VALUE);
        return Json.parse(new String(content, StandardCharsets.UTF_8)).get(name).stringValue();
    }
}
