package gateway.policies.message.graphql;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/// Why a request does not go on, and how GraphQL over HTTP says so.
///
/// @param reason a problem's type
/// @param ofDocument whether the request itself was well formed: clients of old are told so by 200
record QueryRefusal(String reason, int status, String message, boolean ofDocument) {
    static final String MEDIA_TYPE = "application/graphql-response+json";
    private static final String OLD_MEDIA_TYPE = "application/json";
    private static final Pattern WORD_BORDER = Pattern.compile("(?<=[a-z])(?=[A-Z])|-");

    Response toResponse(Exchange exchange) {
        boolean old = isOld(exchange.headers().first("Accept").orElse("").toLowerCase(Locale.ROOT));
        byte[] content = toJson(exchange.requestId()).getBytes(StandardCharsets.UTF_8);
        boolean asSuccess = old && ofDocument;
        Response response = Response.of(asSuccess ? 200 : status, old ? OLD_MEDIA_TYPE : MEDIA_TYPE, content)
                .because(reason);
        if (asSuccess) return response.with("Cache-Control", "no-store"); // caches would take it for an answer
        return status == 405 ? response.with("Allow", "GET, HEAD, POST") : response;
    }

    /// Whether a client knows nothing but the media type that came before GraphQL's own.
    private static boolean isOld(String accept) {
        return accept.contains(OLD_MEDIA_TYPE) && !accept.contains(MEDIA_TYPE);
    }

    private String toJson(String requestId) {
        var json = Json.mapper().createObjectNode();
        var error = json.putArray("errors").addObject().put("message", message);
        error.putObject("extensions")
                .put("code", code())
                .put("type", "urn:gateway:problem:" + reason)
                .put("requestId", requestId);
        return Json.compact(json);
    }

    /// Of the message where that is a name, as clients of persisted queries expect.
    private String code() {
        String named = message.startsWith("PersistedQuery") ? message : reason;
        return WORD_BORDER.matcher(named).replaceAll("_").toUpperCase(Locale.ROOT);
    }
}
