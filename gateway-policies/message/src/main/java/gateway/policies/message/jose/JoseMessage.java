package gateway.policies.message.jose;

import gateway.http.Body;
import gateway.http.BodyCharset;
import gateway.http.BodyRefusedException;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Outgoing;
import gateway.http.Query;
import gateway.http.SaidTypes;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// One message while steps sign, verify, encrypt or decrypt parts of it. Used by one thread at a time.
final class JoseMessage {
    private final Headers fields;
    private final @Nullable Outgoing request; // null for answers
    private byte[] body;
    private final HeldBody came;
    private @Nullable JsonNode tree; // what the body says, once somebody has asked
    private boolean written; // the tree says more than the body
    private boolean replaced;
    private Optional<String> type;

    private JoseMessage(Headers fields, @Nullable Outgoing request, HeldBody came) {
        this.fields = fields;
        this.request = request;
        this.came = came;
        this.body = came.plain();
        this.type = fields.first("Content-Type");
    }

    /// @param body plain
    static JoseMessage ofRequest(Outgoing request, HeldBody body) {
        return new JoseMessage(request.headers(), request, body);
    }

    /// @param body plain
    static JoseMessage ofAnswer(Headers fields, HeldBody body) {
        return new JoseMessage(fields, null, body);
    }

    boolean isRequest() {
        return request != null;
    }

    /// The body as it stands now.
    byte[] body() {
        if (written) {
            body = Json.compact(tree()).getBytes(StandardCharsets.UTF_8);
            written = false;
            replaced = true;
        }
        return body;
    }

    /// The same for what goes by its type.
    ///
    /// @throws BodyRefusedException when it says several
    private byte[] typed() {
        byte[] content = body();
        if (content.length > 0) SaidTypes.requireOne(fields);
        return content;
    }

    /// The JSON that the body is. Not to be changed.
    JsonNode tree() {
        if (tree == null) tree = replaced ? parsed(body) : arrived();
        return tree;
    }

    /// A signature of a part says nothing of the rest, which readers of other characters would see elsewhere.
    private JsonNode arrived() {
        BodyCharset.requireUtf8(fields);
        return came.json();
    }

    private JsonNode parsed(byte[] content) {
        try {
            return Json.parse(content, came.memory()::hold);
        } catch (InvalidConfigException e) {
            throw new BadJoseException("no JSON in it");
        }
    }

    /// The body that takes the place of the one that came; empty when that has stayed as it was.
    Optional<Body> changed() {
        byte[] now = body();
        return replaced ? Optional.of(Body.of(now)) : Optional.empty();
    }

    /// What the content of the body is now, as `Content-Type` says it.
    Optional<String> type() {
        return type;
    }

    /// The value of a field that may stand there once.
    ///
    /// @throws BadJoseException when it stands there several times
    Optional<String> field(String name) {
        List<String> values = fields.all(name);
        if (values.size() > 1) throw new BadJoseException("a field that stands there twice");
        return values.stream().findFirst();
    }

    void field(String name, String value) {
        fields.set(name, value);
    }

    void removeField(String name) {
        fields.remove(name);
    }

    /// What stands at a part, as octets; empty where nothing does.
    Optional<byte[]> content(JosePart part) {
        return switch (part) {
            case JosePart.Body _ -> Optional.of(typed()).filter(content -> content.length > 0);
            case JosePart.Value(JsonPointer pointer) ->
                value(pointer).map(value -> Json.compact(value).getBytes(StandardCharsets.UTF_8));
            case JosePart.Field(String name) -> field(name).map(JoseMessage::octets);
            case JosePart.Parameter(String name) -> parameter(name).map(JoseMessage::octets);
        };
    }

    /// What stands at a part, as the text that a compact form is; empty where none does.
    Optional<String> text(JosePart part) {
        return switch (part) {
            case JosePart.Body _ -> Optional.of(utf8(typed()).strip()).filter(text -> !text.isEmpty());
            case JosePart.Value(JsonPointer pointer) -> value(pointer).flatMap(JsonNode::stringValueOpt);
            case JosePart.Field(String name) -> field(name);
            case JosePart.Parameter(String name) -> parameter(name);
        };
    }

    /// What stands at a part, as the object that a JSON form is; empty for anything else.
    Optional<JsonNode> object(JosePart part) {
        return switch (part) {
            case JosePart.Body _ -> whole();
            case JosePart.Value(JsonPointer pointer) -> value(pointer).filter(JsonNode::isObject);
            case JosePart.Field _, JosePart.Parameter _ -> text(part).flatMap(JoseMessage::object);
        };
    }

    private static Optional<JsonNode> object(String text) {
        try {
            return Optional.of(JoseHeader.object(octets(text)));
        } catch (BadJoseException e) {
            return Optional.empty();
        }
    }

    private Optional<JsonNode> whole() {
        if (body().length == 0) return Optional.empty();
        try {
            return Optional.of(tree()).filter(JsonNode::isObject);
        } catch (BodyRefusedException e) {
            return Optional.empty(); // told as any other body that is no such form
        }
    }

    private Optional<JsonNode> value(JsonPointer pointer) {
        if (body().length == 0) return Optional.empty();
        JsonNode value = tree().at(pointer);
        return value.isMissingNode() ? Optional.empty() : Optional.of(value);
    }

    private Optional<String> parameter(String name) {
        if (request == null) return Optional.empty();
        String query = request.query();
        int at = Query.find(query, name, 0);
        if (at >= 0 && Query.find(query, name, Query.end(query, at) + 1) >= 0) {
            throw new BadJoseException("a parameter that stands there twice");
        }
        return Query.first(query, name);
    }

    /// Puts what was in a message in its place.
    ///
    /// @param media of it, as whoever closed it says
    void opened(JosePart part, byte[] content, String media) {
        switch (part) {
            case JosePart.Body _ -> replace(content, media);
            case JosePart.Value(JsonPointer pointer) -> set(pointer, json(content));
            case JosePart.Field(String name) -> fields.set(name, visible(content));
            case JosePart.Parameter(String name) -> parameter(name, utf8(content));
        }
    }

    /// Puts a compact form, which is a text, or a JSON form, an object, in the place of what it holds.
    void closed(JosePart part, JsonNode form, String media) {
        switch (part) {
            case JosePart.Body _ -> replace(octets(written(form)), media);
            case JosePart.Value(JsonPointer pointer) -> set(pointer, form);
            case JosePart.Field(String name) -> fields.set(name, written(form));
            case JosePart.Parameter(String name) -> parameter(name, written(form));
        }
    }

    /// The same form as the text that it is outside of JSON.
    static String written(JsonNode form) {
        return form.isString() ? form.stringValue() : Json.compact(form);
    }

    private void replace(byte[] content, String media) {
        body = content;
        tree = null;
        written = false;
        replaced = true;
        type = Optional.of(media);
    }

    private void parameter(String name, String value) {
        if (request == null) throw new IllegalStateException("answers have no query");
        request.removeQueryParameter(name);
        request.addQueryParameter(name, value);
    }

    /// The tree that came is everybody's, so what leads to the value is made anew.
    private void set(JsonPointer pointer, JsonNode value) {
        tree = with(tree(), pointer, value);
        written = true;
    }

    private static JsonNode with(JsonNode node, JsonPointer pointer, JsonNode value) {
        if (pointer.matches()) return value;
        return switch (node) {
            case ObjectNode object -> with(object, pointer.getMatchingProperty(), pointer.tail(), value);
            case ArrayNode array -> with(array, pointer.getMatchingIndex(), pointer.tail(), value);
            default -> throw new IllegalStateException("nothing stands at " + pointer);
        };
    }

    private static ObjectNode with(ObjectNode object, String name, JsonPointer within, JsonNode value) {
        ObjectNode copy = Json.mapper().createObjectNode();
        for (String each : object.propertyNames()) {
            copy.set(each, each.equals(name) ? with(object.get(each), within, value) : object.get(each));
        }
        return copy;
    }

    private static ArrayNode with(ArrayNode array, int index, JsonPointer within, JsonNode value) {
        ArrayNode copy = Json.mapper().createArrayNode().addAll(array);
        copy.set(index, with(array.get(index), within, value));
        return copy;
    }

    /// What signers of JSON values write is JSON; others write a text as it is.
    private JsonNode json(byte[] content) {
        try {
            return Json.parse(content, came.memory()::hold);
        } catch (InvalidConfigException e) {
            return Json.mapper().getNodeFactory().stringNode(utf8(content));
        }
    }

    /// Only what cannot end the line of a field.
    private static String visible(byte[] content) {
        String text = utf8(content);
        if (text.chars().anyMatch(c -> c < ' ' || c >= 0x7f)) throw new BadJoseException("no value of a field in it");
        return text;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String utf8(byte[] content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadJoseException("no UTF-8");
        }
    }
}
