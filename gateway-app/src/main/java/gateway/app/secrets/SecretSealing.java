package gateway.app.secrets;

import gateway.config.SecretReader;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DocumentId;
import gateway.service.SecretUnavailableException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Seals what somebody wrote into one document.
///
/// @param sealer how a text becomes an envelope
record SecretSealing(Sealer sealer, DocumentId id) {
    /// As [SealingKeys#seal] does.
    @FunctionalInterface
    interface Sealer {
        String seal(String name, String plain);
    }

    /// @param places pointers of where secrets are wanted
    /// @param before the document as it is kept now
    /// @return its text
    String sealed(JsonNode written, List<String> places, Optional<String> before) {
        if (places.isEmpty()) return Json.pretty(written);
        JsonNode kept = before.map(Json::parse).orElseGet(Json.mapper()::missingNode);
        JsonNode copy = written.deepCopy();
        for (String place : places) put(copy, JsonPointer.compile(place), sealed(written.at(place), kept.at(place)));
        return Json.pretty(copy);
    }

    /// What stands anywhere else and looks so would be shown as a secret, which it is not.
    ///
    /// @throws InvalidConfigException for one
    static void requireNoStrayEnvelope(JsonNode written, List<String> places) {
        SealedValues.replaced(written, (pointer, envelope) -> {
            if (places.contains(pointer)) return Json.mapper().nullNode();
            throw new InvalidConfigException(pointer, "expected anything but what a gateway has sealed");
        });
    }

    private JsonNode sealed(JsonNode value, JsonNode kept) {
        if (value.isString()) return sealedText(value);
        if (value.has(SecretReader.SEALED)) {
            return broken("expected the secret itself, or where it is, rather than what a gateway has sealed");
        }
        if (!value.has(SecretReader.MASKED)) return value;
        Optional<String> envelope = SealedValues.envelope(kept);
        boolean isKept = value.size() == 1
                && envelope.isPresent()
                && value.path(SecretReader.MASKED).asString("").equals(SecretDocuments.mask(envelope.get()));
        return isKept ? kept : broken("expected the secret, or the mask that is shown of what is stored here");
    }

    /// What is no secret of a sound length is left to its reader.
    private JsonNode sealedText(JsonNode value) {
        String plain = value.stringValue();
        if (plain.isEmpty()) return value;
        if (plain.length() > SecretReader.MOST_CHARACTERS) {
            return broken("expected at most " + SecretReader.MOST_CHARACTERS + " characters");
        }
        try {
            return Json.mapper().createObjectNode().put(SecretReader.SEALED, sealer.seal(id.toString(), plain));
        } catch (SecretUnavailableException e) {
            return broken(e.getMessage() + "; set " + SecretSettingTable.SECRETS_KEY.variable());
        }
    }

    private static ObjectNode broken(String why) {
        return Json.mapper().createObjectNode().put(SecretReader.BROKEN, why);
    }

    private static void put(JsonNode document, JsonPointer place, JsonNode value) {
        switch (document.at(place.head())) {
            case ObjectNode object -> object.set(place.last().getMatchingProperty(), value);
            case ArrayNode array -> array.set(place.last().getMatchingIndex(), value);
            default -> throw new IllegalStateException("nothing can stand at " + place);
        }
    }
}
