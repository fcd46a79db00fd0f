package gateway.app.admin;

import gateway.http.Response;
import gateway.json.Suggestion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which operation of the admin API answers a request.
final class AdminRouter {
    static final String BASE = "/admin/v1";
    private final List<AdminRoute> routes;

    AdminRouter(List<AdminRoute> routes) {
        this.routes = List.copyOf(routes);
    }

    /// @throws AdminProblem 403 without the right that the operation needs, 404, 405 with `Allow`, 400 for a query
    /// parameter nobody knows
    Response answer(AdminRequest request, AdminCaller caller) {
        List<String> segments = segments(request.path());
        var allowed = new ArrayList<String>();
        String path = path(segments);
        for (AdminRoute route : routes) {
            Optional<Map<String, String>> place = route.bind(segments);
            if (place.isEmpty() || !route.path().equals(path)) continue;
            if (route.serves(request.method())) {
                caller.requireOneOf(route.rights());
                var call = new AdminCall(request, place.get(), query(route, request.query()), caller);
                route.refuseBody(call);
                Response answer = route.operation().answer(call);
                return route.isTagged() ? EntityTag.unlessKnown(request.headers(), answer) : answer;
            }
            allowed.add(route.method());
            if (route.method().equals(AdminRoute.GET)) allowed.add(AdminRoute.HEAD);
        }
        if (allowed.isEmpty()) throw AdminProblem.notFound("nothing is at " + request.path());
        throw AdminProblem.wrongMethod(request.method(), allowed);
    }

    /// The most bytes of a request body.
    int mostBytes(AdminRequest head) {
        try {
            List<String> segments = segments(head.path());
            String path = path(segments);
            for (AdminRoute route : routes) {
                if (route.path().equals(path) && route.serves(head.method()))
                    return route.body().map(AdminRoute.Body::mostBytes).orElse(AdminHandler.MAX_BODY_BYTES);
            }
        } catch (AdminProblem e) {
            // a path that cannot be read is told when the request is answered
        }
        return AdminHandler.MAX_BODY_BYTES;
    }

    /// The path of routes that `segments` are; one without a place before others, as OpenAPI has it. Empty when there
    /// is none.
    private String path(List<String> segments) {
        String found = "";
        for (AdminRoute route : routes) {
            if (route.bind(segments).isEmpty()) continue;
            if (found.isEmpty() || !route.path().contains("{")) found = route.path();
        }
        return found;
    }

    private static List<String> segments(String path) {
        if (path.length() <= BASE.length()) return List.of("");
        var segments = new ArrayList<String>();
        for (String segment : path.substring(BASE.length() + 1).split("/", -1)) segments.add(decoded(segment, false));
        return segments;
    }

    private static Map<String, String> query(AdminRoute route, String query) {
        var parameters = new LinkedHashMap<String, String>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) continue;
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals), true);
            List<String> known =
                    route.parameters().stream().map(QueryParameter::text).toList();
            if (!known.contains(name)) throw unknown(name, known);
            String before = parameters.put(name, equals < 0 ? "" : decoded(pair.substring(equals + 1), true));
            if (before != null) throw AdminProblem.badRequest("query parameter \"" + name + "\" is given twice");
        }
        return parameters;
    }

    private static AdminProblem unknown(String name, List<String> known) {
        return AdminProblem.badRequest("unknown query parameter \"" + name + "\""
                + Suggestion.nearest(name, known)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse(""));
    }

    /// Percent-decoded; in a query a plus is a space, in a path it is a plus.
    private static String decoded(String text, boolean inQuery) {
        try {
            return URLDecoder.decode(inQuery ? text : text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw AdminProblem.badRequest("expected percent-encoded UTF-8, got " + text);
        }
    }
}
