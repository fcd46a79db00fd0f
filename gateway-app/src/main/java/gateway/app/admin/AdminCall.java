package gateway.app.admin;

import gateway.http.BodyTooLargeException;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// An authenticated request to one operation of the admin API.
///
/// @param place what the path's `{name}` segments bound, decoded
/// @param query the parameters, all known to the operation
record AdminCall(AdminRequest request, Map<String, String> place, Map<String, String> query, AdminCaller caller) {
    /// The largest number that a path or a query may have.
    static final long LARGEST = 999_999_999_999_999_999L;

    /// The name of the token's holder, for revisions and the audit log.
    String author() {
        return caller.name();
    }

    String place(String name) {
        return place.getOrDefault(name, "");
    }

    Precondition precondition() {
        return Precondition.of(request.headers());
    }

    /// The request in words, such as `PUT apis/orders`, for revisions and the audit log.
    String inWords() {
        return request.method() + " " + request.path().substring(AdminRouter.BASE.length() + 1);
    }

    /// The body's JSON.
    ///
    /// @throws AdminProblem 415 unless it is declared as JSON: a merge patch, which is written as JSON, is none
    /// @throws InvalidConfigException when it is not JSON in UTF-8
    JsonNode json() {
        String type = request.headers().first("Content-Type").orElse("nothing");
        String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!media.equals("application/json")) throw AdminProblem.unsupportedMediaType(type);
        return Json.parseBounded(text());
    }

    /// For operations that read no body: whoever sends one with something in it means something by it.
    ///
    /// @throws AdminProblem 415 as for [#json]
    /// @throws InvalidConfigException when it is more than an empty object
    void expectNothing() {
        if (content().length == 0) return;
        ConfigNode node = ConfigNode.of(DocumentsResource.object(json()));
        node.refuseUnknownFields();
        node.throwIfInvalid();
    }

    /// The same where HTTP gives a body no meaning.
    ///
    /// @throws AdminProblem 400 when it is more than an empty object
    void expectNoBody() {
        String text = new String(content(), StandardCharsets.UTF_8).strip();
        if (!text.isEmpty() && !text.equals("{}")) throw AdminProblem.badRequest("expected no body");
    }

    /// A query parameter that names something; empty when it is not given.
    ///
    /// @throws AdminProblem 400 when it is there and names nothing
    String named(String parameter) {
        String text = query.get(parameter);
        if (text == null) return "";
        if (text.isEmpty()) throw AdminProblem.badRequest(parameter + ": expected text, got \"\"");
        return text;
    }

    /// The body as it came.
    byte[] content() {
        try {
            return request.body().bytes(AdminHandler.MAX_CHANGES_BYTES);
        } catch (BodyTooLargeException e) {
            throw new IllegalStateException("the listener lets no larger body pass", e);
        }
    }

    /// A whole number among the query parameters.
    ///
    /// @throws AdminProblem 400 when it is none from `min` to `max`
    long number(String parameter, long min, long max, long fallback) {
        String text = query.get(parameter);
        if (text == null) return fallback;
        return number(parameter, text, min, max);
    }

    static long number(String name, String text, long min, long max) {
        Optional<Long> number = text.matches("\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
        return number.filter(n -> n >= min && n <= max)
                .orElseThrow(() -> AdminProblem.badRequest(
                        name + ": expected a whole number from " + min + " to " + max + ", got \"" + text + "\""));
    }

    private String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidConfigException("", "expected UTF-8");
        }
    }
}
