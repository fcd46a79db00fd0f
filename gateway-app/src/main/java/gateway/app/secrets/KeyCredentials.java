package gateway.app.secrets;

import gateway.http.Secret;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.ApiKeyJson;
import gateway.key.KeyCredential;
import gateway.service.SecretUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The shared secrets of API keys: as people write them, `{"secret": "text"}`, as they are kept, `{"sealed": "…"}`, and
/// as they are shown, `{"secret": {"masked": "<8 hex>"}}`. A secret is sealed for its key: in another it does not open.
public final class KeyCredentials {
    private static final int FEWEST_BYTES = 8;
    private static final int MOST_CHARACTERS = 4_096;
    private static final String BROKEN = "?"; // stands for what cannot be sealed, while problems are looked for

    private final SealingKeys keys;

    KeyCredentials(SealingKeys keys) {
        this.keys = keys;
    }

    /// A key's JSON as it is kept, of one that somebody wrote.
    ///
    /// @param problems why it cannot be kept; none repeats a value
    public record Written(JsonNode json, List<ConfigProblem> problems) {
        public Written {
            problems = List.copyOf(problems);
        }
    }

    /// Whether somebody wrote credentials, which are sealed for the id of their key.
    public static boolean hasAny(JsonNode written) {
        return written.path("credentials").isArray()
                && !written.path("credentials").isEmpty();
    }

    /// Seals what is written in the clear. Masks that were shown stand for what is behind them.
    ///
    /// @param id of the key
    /// @param before the key as it stands
    public Written sealed(String id, JsonNode written, Optional<ApiKey> before) {
        JsonNode copy = written.deepCopy();
        var problems = new ArrayList<ConfigProblem>();
        JsonNode credentials = copy.path("credentials");
        for (int i = 0; credentials.isArray() && i < credentials.size(); i++) {
            if (!(credentials.get(i) instanceof ObjectNode credential)) continue;
            String pointer = "/credentials/" + i;
            if (credential.has("sealed"))
                problems.add(new ConfigProblem(pointer + "/sealed", "expected secret instead"));
            JsonNode secret = credential.remove("secret");
            if (secret != null) credential.put("sealed", sealed(id, secret, before, pointer + "/secret", problems));
            String flaw = PublicKeyCheck.flaw(credential);
            if (!flaw.isEmpty()) problems.add(new ConfigProblem(pointer + "/pem", flaw));
        }
        return new Written(copy, problems);
    }

    private String sealed(
            String id, JsonNode secret, Optional<ApiKey> before, String pointer, List<ConfigProblem> problems) {
        if (secret.isObject()) {
            String mask = secret.path("masked").asString("");
            for (KeyCredential each : before.map(ApiKey::credentials).orElse(List.of())) {
                if (each.sealed().isEmpty()) continue;
                if (SecretDocuments.mask(each.sealed().get()).equals(mask))
                    return each.sealed().get();
            }
            problems.add(new ConfigProblem(pointer, "expected the secret, or the mask that is shown of it"));
            return BROKEN;
        }
        String text = secret.isString() ? secret.stringValue() : "";
        if (text.getBytes(StandardCharsets.UTF_8).length < FEWEST_BYTES || text.length() > MOST_CHARACTERS) {
            String expected = "expected text of " + FEWEST_BYTES + " bytes to " + MOST_CHARACTERS + " characters";
            problems.add(new ConfigProblem(pointer, expected));
            return BROKEN;
        }
        try {
            return keys.seal(name(id), text);
        } catch (SecretUnavailableException e) {
            String setting = SecretSettingTable.SECRETS_KEY.variable();
            problems.add(new ConfigProblem(pointer, e.getMessage() + "; set " + setting));
            return BROKEN;
        }
    }

    /// @throws SecretUnavailableException when it cannot be opened
    Secret open(String id, String envelope) {
        return new Secret(keys.open(name(id), envelope));
    }

    /// Whether the key has a secret that is sealed.
    public static boolean hasSealed(ApiKey key) {
        return key.credentials().stream().anyMatch(each -> each.sealed().isPresent());
    }

    /// The key under the key that seals now; empty when that has sealed all of it.
    ///
    /// @throws SecretUnavailableException when it cannot be opened
    public Optional<ApiKey> resealed(ApiKey key) {
        var credentials = new ArrayList<KeyCredential>();
        for (KeyCredential each : key.credentials()) {
            credentials.add(new KeyCredential(
                    each.algorithm(), each.pem(), each.sealed().map(old -> resealed(key.id(), old))));
        }
        return credentials.equals(key.credentials()) ? Optional.empty() : Optional.of(key.withCredentials(credentials));
    }

    private String resealed(String id, String envelope) {
        return keys.isCurrent(envelope) ? envelope : keys.seal(name(id), keys.open(name(id), envelope));
    }

    /// What may be shown of the key.
    public static ObjectNode shown(ApiKey key) {
        ObjectNode json = ApiKeyJson.write(key);
        for (JsonNode each : json.path("credentials")) {
            if (!(each instanceof ObjectNode credential) || !credential.has("sealed")) continue;
            String mask = SecretDocuments.mask(credential.remove("sealed").stringValue());
            credential.set("secret", Json.mapper().createObjectNode().put("masked", mask));
        }
        return json;
    }

    private static String name(String id) {
        return "keys/" + id;
    }
}
