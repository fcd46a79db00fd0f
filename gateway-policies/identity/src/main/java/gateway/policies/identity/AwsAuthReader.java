package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.policies.identity.AwsAuth.Payload;
import gateway.service.SecretReference;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads as whom requests to AWS are signed.
final class AwsAuthReader {
    private static final Pattern HOST = Pattern.compile("[a-z0-9.-]{1,253}(:[0-9]{1,5})?");
    private static final Pattern WORD = Pattern.compile("[a-z0-9-]{1,64}");
    private static final long LARGEST = 16 << 20;

    private AwsAuthReader() {}

    static AwsAuth read(ConfigNode node) {
        node.expectObject();
        String host = matching(
                node.field("host", "of the upstream, as its targets name it").like(HOST), HOST, "a host in lower case");
        String region = matching(node.field("region", "such as `eu-central-1`").like(WORD), WORD, "a region");
        String service = matching(
                node.field("service", "such as `execute-api`, `s3`, `lambda`").like(WORD), WORD, "a service");
        SecretReference accessKey = SecretReader.read(node.field("accessKey", "its id"));
        SecretReference secretKey = SecretReader.read(node.field("secretKey", "the secret of that id"));
        ConfigNode token = node.field("sessionToken", "of temporary credentials");
        Optional<SecretReference> session =
                token.isPresent() ? Optional.of(SecretReader.read(token)) : Optional.empty();
        Payload payload = node.field("payload", "`signed` holds the body, `unsigned` lets it stream past (S3)")
                .choice(Payload.SIGNED);
        node.onlyWhere("maxBody", "payload", true, "signed");
        ConfigNode most = node.field("maxBody", "most of a body that is held to be signed");
        if (most.isPresent() && payload == Payload.UNSIGNED) most.problem("expected only with \"payload\": \"signed\"");
        long maxBody = most.size(1 << 10, LARGEST, 1 << 20);
        node.refuseUnknownFields();
        return new AwsAuth(host, region, service, accessKey, secretKey, session, payload, maxBody);
    }

    private static String matching(ConfigNode node, Pattern pattern, String expected) {
        String text = node.requiredText();
        node.like(pattern);
        if (!text.isEmpty() && !pattern.matcher(text).matches()) node.expected(expected);
        return text;
    }
}
