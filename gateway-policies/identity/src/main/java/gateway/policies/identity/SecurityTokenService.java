package gateway.policies.identity;

import gateway.config.CallTargetReader;
import gateway.json.ConfigNode;
import gateway.policies.cryptography.KeyUrls;
import gateway.service.CallTarget;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// The service that says whether assertions are valid (WS-Trust 1.3 and 1.4), and how it is asked.
///
/// @param soap of which version messages to it are
/// @param concurrency questions at once
record SecurityTokenService(
        URI url,
        CallTarget target,
        SoapVersion soap,
        Optional<ServiceUser> user,
        IntrospectionTimes times,
        int concurrency) {
    private static final URI STAND_IN = URI.create("https://localhost");

    static SecurityTokenService read(ConfigNode node) {
        node.requireObject();
        boolean plaintext = node.field("allowPlaintext", "let `url` be `http://` to other machines than this one")
                .bool(false);
        URI url = KeyUrls.read(node.field("url", "where assertions are judged").form("URL"), plaintext)
                .orElse(STAND_IN);
        KeyUrls.describe(node, "url");
        CallTarget target = CallTargetReader.of(
                KeyUrls.origin(url), node.field("tls", "how the service is spoken to, as in an API's `upstream`"));
        var read = new SecurityTokenService(
                url,
                target,
                soap(node.field("soap", "of which version messages to it are")
                        .only(List.of("1.1", "1.2"))
                        .unlessGiven("`1.2`")),
                ServiceUser.read(node),
                IntrospectionTimes.ofAssertions(node),
                (int) node.field("concurrency", "questions at once; more wait up to `timeout`")
                        .integer(1, 1_000, 64));
        node.refuseUnknownFields();
        return read;
    }

    private static SoapVersion soap(ConfigNode field) {
        String text = field.text("1.2");
        if (!text.equals("1.1") && !text.equals("1.2")) {
            field.problem("expected \"1.1\" or \"1.2\", got \"" + text + '"');
        }
        return text.equals("1.1") ? SoapVersion.SOAP_1_1 : SoapVersion.SOAP_1_2;
    }
}
