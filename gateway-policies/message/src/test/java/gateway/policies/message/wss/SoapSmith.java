package gateway.policies.message.wss;

import static java.nio.charset.StandardCharsets.UTF_8;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import gateway.service.SecretReference.Origin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/// SOAP messages for tests, keys for them, and definitions with these.
final class SoapSmith {
    static final String ENVELOPE = """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:o="urn:orders"><s:Header>\
            <o:To>here</o:To></s:Header><s:Body><o:order id="7"><o:sum>1.50</o:sum></o:order><o:line id="7"/>\
            </s:Body></s:Envelope>""";

    static final String SIGN = "{\"add-timestamp\": {}}, {\"sign\": {\"key\": {\"env\": \"GATEWAY_SECRET_CLIENT\"}}}";
    static final String VERIFY = "{\"timestamp\": {}}, {\"verify\": {\"trust\": {\"certificates\":"
            + " {\"resource\": \"client.crt\"}}, \"consumer\": \"subject\"}}";

    private SoapSmith() {}

    static FakeServices services() {
        var services = new FakeServices();
        for (String each : List.of("client", "service", "stranger", "ec", "bare")) {
            String variable = "GATEWAY_SECRET_" + each.toUpperCase(Locale.ROOT);
            services.secrets().put(Origin.ENV, variable, file(each + ".pem"));
        }
        services.secrets().put(Origin.ENV, "GATEWAY_SECRET_ALICE", "wonder & land");
        for (String each :
                List.of("client.crt", "service.crt", "stranger.crt", "ec.crt", "bare.crt", "authority.crt")) {
            services.putResource(each, file(each));
        }
        return services;
    }

    static String file(String name) {
        try (var content = SoapSmith.class.getResourceAsStream("/wss/" + name)) {
            return new String(content.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A policy with these steps for requests.
    static PolicyRun requests(String steps) {
        return run("\"request\": [" + steps + "]");
    }

    static PolicyRun run(String fields) {
        return PolicyRun.of("{\"type\": \"ws-security\", " + fields + "}", services());
    }

    /// What steps make of a message, by another policy.
    static String made(String steps, String message) {
        PolicyRun run = requests(steps);
        Response answer = send(run, message);
        if (answer.status() != 200) throw new IllegalStateException(PolicyRun.text(answer));
        return run.arrived();
    }

    /// A message by `client` with a time and a signature.
    static String signed() {
        return made(SIGN, ENVELOPE);
    }

    static Response send(PolicyRun run, String message) {
        return run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "text/xml; charset=utf-8")
                .body(message));
    }
}
