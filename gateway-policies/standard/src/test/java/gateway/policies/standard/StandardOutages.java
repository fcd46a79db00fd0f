package gateway.policies.standard;

import gateway.config.OutageCase;
import gateway.http.Allowance;
import gateway.http.Body;
import gateway.http.ClientCertificate;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.key.ApiGrant;
import gateway.key.ApiKey;
import gateway.policy.FakeServices;
import gateway.policy.PolicyType;
import gateway.policy.TroubledServices.Port;
import gateway.service.CallAnswer;
import gateway.service.SecretReference.Origin;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.x500.X500Principal;

/// Where policies of this module ask something outside of the process.
final class StandardOutages {
    private static final String SECRET = "some-key";
    private static final ClientCertificate BILLING =
            new ClientCertificate("ab".repeat(32), new X500Principal("CN=billing"));
    private static final AtomicLong COUNT = new AtomicLong();

    private StandardOutages() {}

    static List<OutageCase> of(PolicyType type, String example) {
        return switch (type.name()) {
            case "key-auth" ->
                List.of(
                        OutageCase.of(Port.KEYS, "{\"type\": \"key-auth\"}", StandardOutages::key, (_, _) -> bearing()),
                        OutageCase.of(
                                Port.COUNTERS, "{\"type\": \"key-auth\"}", StandardOutages::key, (_, _) -> bearing()));
            case "any-of" ->
                List.of(OutageCase.of(
                        Port.KEYS,
                        example,
                        StandardOutages::key,
                        (_, _) -> Exchanges.get("/").with("X-Api-Key", SECRET)));
            case "mtls-auth" ->
                List.of(OutageCase.of(
                        Port.KEYS,
                        "{\"type\": \"mtls-auth\", \"clients\": [{\"sha256\": \"" + BILLING.sha256()
                                + "\", \"key\": \"key_1\"}]}",
                        StandardOutages::key,
                        (_, _) -> Exchanges.get("/").showing(BILLING)));
            case "quota", "rate-limit" ->
                List.of(OutageCase.of(
                        Port.COUNTERS,
                        "{\"type\": \"" + type.name() + "\", \"requests\": 1000, \"per\": \"1d\", \"by\": \"ip\"}",
                        _ -> {},
                        (_, _) -> Exchanges.get("/")));
            case "ban" ->
                List.of(OutageCase.of(Port.SHORT_TERM, example, _ -> {}, (_, _) -> Exchanges.get("/"))
                        .goingOn());
            case "webhook-verify" ->
                List.of(OutageCase.of(
                        Port.SHORT_TERM,
                        "{\"type\": \"webhook-verify\", \"form\": \"github\", \"once\": true,"
                                + " \"secrets\": [{\"env\": \"GATEWAY_SECRET_HOOK\"}]}",
                        services -> services.secrets().put(Origin.ENV, "GATEWAY_SECRET_HOOK", SECRET.repeat(4)),
                        (_, _) -> webhook()));
            case "api-call" ->
                List.of(OutageCase.of(
                        Port.SERVERS,
                        "{\"type\": \"api-call\", \"name\": \"profile\", \"url\": \"https://crm.internal/users\","
                                + " \"take\": {\"var.segment\": \"/segment\"}}",
                        StandardOutages::profiles,
                        (_, _) -> Exchanges.get("/")));
            default -> List.of();
        };
    }

    private static void key(FakeServices services) {
        services.keys()
                .add(
                        SECRET,
                        new ApiKey(
                                "key_1",
                                "alice",
                                true,
                                Optional.empty(),
                                Map.of("orders", ApiGrant.WHOLE),
                                Optional.empty(),
                                Optional.of(new Allowance(1000, Duration.ofDays(1))),
                                List.of(),
                                Map.of()));
    }

    private static Exchanges bearing() {
        return Exchanges.get("/").with("Authorization", "Bearer " + SECRET);
    }

    private static Exchanges webhook() {
        String body = "{\"number\": " + COUNT.incrementAndGet() + '}';
        return Exchanges.of("POST", "/")
                .with("X-Hub-Signature-256", "sha256=" + hmac(body))
                .body(body);
    }

    private static String hmac(String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.repeat(4).getBytes(StandardCharsets.UTF_8), "HMAC"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void profiles(FakeServices services) {
        byte[] answer = "{\"segment\": \"gold\"}".getBytes(StandardCharsets.UTF_8);
        services.calls().serveOthers(_ -> new CallAnswer(200, Headers.create(), Body.of(answer)));
    }
}
