package gateway.policies.identity;

import gateway.config.SecretReader;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.service.CallRequest;
import gateway.service.SecretReference;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/// Who the gateway is to a service that asks for a name and a password (RFC 7617).
record ServiceUser(String name, SecretReference password) {
    private static final int LONGEST = 256;

    private static final Pattern NAME = Pattern.compile("[^\\x00-\\x1f:\\x7f-\\x9f]*");

    /// Reads the fields `user` and `password`; empty when neither stands there.
    static Optional<ServiceUser> read(ConfigNode node) {
        ConfigNode user = node.field("user", "who the gateway is there; with `password`");
        ConfigNode password = node.field("password", "of that user");
        Optional<SecretReference> secret =
                password.isPresent() ? Optional.of(SecretReader.read(password)) : Optional.empty();
        String name = user.like(NAME).text("");
        node.beside("user", "password").beside("password", "user");
        if (user.isPresent() != password.isPresent())
            user.problem("expected both, user and password, or neither, got one of them");
        user.extent(0, LONGEST);
        if (name.length() > LONGEST || name.indexOf(':') >= 0 || name.chars().anyMatch(Character::isISOControl)) {
            user.problem("expected at most " + LONGEST + " characters without \":\"");
        }
        return secret.map(found -> new ServiceUser(name, found));
    }

    CallRequest sign(CallRequest request, Secret opened) {
        byte[] both = (name + ':' + opened.reveal()).getBytes(StandardCharsets.UTF_8);
        return request.with("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }
}
