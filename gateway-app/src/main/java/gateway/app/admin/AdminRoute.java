package gateway.app.admin;

import gateway.http.Response;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// One operation of the admin API: where it is, what it does and all that it may answer. The OpenAPI document
/// is made of these.
///
/// @param path below `/admin/v1`, such as `/apis/{id}`
/// @param summary one line for the document
/// @param parameters query parameters it knows
/// @param body of the request; empty when it takes none
/// @param conditional whether it heeds `If-Match` and `If-None-Match`
/// @param answers what it may answer beside what every operation may
/// @param rights of which the caller's token needs one
record AdminRoute(
        String method,
        String path,
        String name,
        String summary,
        List<QueryParameter> parameters,
        Optional<Body> body,
        boolean conditional,
        Map<Integer, Answer> answers,
        Set<AdminRight> rights,
        Operation operation) {
    static final String GET = "GET";
    static final String HEAD = "HEAD";
    private static final String DELETE = "DELETE";
    private static final String NOTHING = "Nothing";

    /// @param schema of the content; empty when there is none
    record Answer(String meaning, Optional<String> schema) {}

    /// @param required whether a request without one is refused
    record Body(String schema, boolean required, int mostBytes) {}

    @FunctionalInterface
    interface Operation {
        Response answer(AdminCall call);
    }

    static AdminRoute of(String method, String path, String name, String summary, Operation operation) {
        return new AdminRoute(
                method,
                path,
                name,
                summary,
                List.of(),
                Optional.empty(),
                false,
                Map.of(),
                Set.of(method.equals(GET) ? AdminRight.READ : AdminRight.WRITE),
                operation);
    }

    /// What answers `GET` answers `HEAD` too; the listener leaves the content out.
    boolean serves(String asked) {
        return method.equals(asked) || (asked.equals(HEAD) && method.equals(GET));
    }

    /// One of `alternatives` is needed, rather than `read` to look and `write` to change.
    AdminRoute needing(AdminRight... alternatives) {
        return new AdminRoute(
                method, path, name, summary, parameters, body, conditional, answers, Set.of(alternatives), operation);
    }

    AdminRoute knowing(QueryParameter... queryParameters) {
        return new AdminRoute(
                method, path, name, summary, List.of(queryParameters), body, conditional, answers, rights, operation);
    }

    AdminRoute taking(String schema) {
        return with(new Body(schema, true, AdminHandler.MAX_BODY_BYTES));
    }

    /// Of many documents together.
    AdminRoute takingMany(String schema) {
        return with(new Body(schema, true, AdminHandler.MAX_CHANGES_BYTES));
    }

    /// A request without a body is as good.
    AdminRoute mayTake(String schema) {
        return with(new Body(schema, false, AdminHandler.MAX_BODY_BYTES));
    }

    private AdminRoute with(Body taken) {
        return new AdminRoute(
                method, path, name, summary, parameters, Optional.of(taken), conditional, answers, rights, operation);
    }

    /// A body says nothing: there is none, or it is an empty object.
    AdminRoute takingNothing() {
        return mayTake(NOTHING);
    }

    /// Has whoever sends a body for nothing told so.
    void refuseBody(AdminCall call) {
        if (method.equals(DELETE)) call.expectNoBody();
        if (body.filter(taken -> taken.schema().equals(NOTHING)).isPresent()) call.expectNothing();
    }

    AdminRoute heedingTags() {
        return new AdminRoute(method, path, name, summary, parameters, body, true, answers, rights, operation)
                .answering(412, "what is stored is not what the request expects");
    }

    /// The answer carries `ETag`, and `If-None-Match` with it is answered 304 (RFC 9110 §13.1.2).
    AdminRoute tagged() {
        return answering(304, "what is stored is what `If-None-Match` names");
    }

    /// The operation cannot do without the store.
    AdminRoute askingStore() {
        return answering(503, "the store does not answer; try again after `Retry-After`");
    }

    boolean isTagged() {
        return answers.containsKey(304);
    }

    AdminRoute answering(int status, String meaning, String schema) {
        return with(status, new Answer(meaning, Optional.of(schema)));
    }

    AdminRoute answering(int status, String meaning) {
        return with(status, new Answer(meaning, status < 400 ? Optional.empty() : Optional.of("Problem")));
    }

    /// What `segments` bind to the path's `{name}` segments; empty when they are not this path.
    Optional<Map<String, String>> bind(List<String> segments) {
        List<String> pattern = segments();
        if (pattern.size() != segments.size()) return Optional.empty();
        var bound = new LinkedHashMap<String, String>();
        for (int i = 0; i < pattern.size(); i++) {
            String expected = pattern.get(i);
            if (expected.startsWith("{")) {
                bound.put(expected.substring(1, expected.length() - 1), segments.get(i));
            } else if (!expected.equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(bound);
    }

    private List<String> segments() {
        return Arrays.asList(path.substring(1).split("/", -1));
    }

    private AdminRoute with(int status, Answer answer) {
        var more = new TreeMap<>(answers);
        more.put(status, answer);
        return new AdminRoute(method, path, name, summary, parameters, body, conditional, more, rights, operation);
    }
}
