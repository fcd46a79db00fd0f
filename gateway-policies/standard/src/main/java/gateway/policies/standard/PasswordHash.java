package gateway.policies.standard;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import gateway.json.ConfigNode;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A bcrypt hash in modular crypt form, `$2b$12$…`. Prints as `***`.
final class PasswordHash {
    /// 2^14 rounds take more than a second; more of them would let one request hold a processor for longer than
    /// clients wait.
    private static final int MOST_COST = 14;

    private static final int LEAST_COST = 4;
    private static final Pattern FORM = Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");
    private static final Pattern BOUNDED = Pattern.compile("\\$2[aby]\\$(0[4-9]|1[0-4])\\$[./A-Za-z0-9]{53}");
    private static final PasswordHash NONE = new PasswordHash("");

    private final String text;

    private PasswordHash(String text) {
        this.text = text;
    }

    /// The hash at `node`. What stands there instead is never repeated: it may be a password.
    static PasswordHash read(ConfigNode node) {
        node.like(BOUNDED).obeys("{\"type\": \"string\"}");
        String found = node.json()
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .orElse("");
        var form = FORM.matcher(found);
        if (!form.matches()) {
            node.problem("expected a bcrypt hash (\"$2b$12$…\"), as `htpasswd -nBC 12 NAME` prints it");
            return NONE;
        }
        int cost = Integer.parseInt(form.group(1));
        if (cost < LEAST_COST || cost > MOST_COST) {
            node.problem("expected a cost of " + LEAST_COST + " to " + MOST_COST + ", got " + cost);
        }
        return new PasswordHash(found);
    }

    /// Whether `password` is the one hashed here. Burns CPU: milliseconds to a second, as the hash's cost says.
    boolean matches(byte[] password) {
        // As every bcrypt does, only 72 bytes count; the library would rather throw.
        var strategy = LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2B);
        return BCrypt.verifyer(BCrypt.Version.VERSION_2B, strategy)
                .verify(password, text.getBytes(StandardCharsets.US_ASCII))
                .verified;
    }

    /// The hash itself, to be mixed into what must change with it.
    byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PasswordHash hash && text.equals(hash.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
