package gateway.route;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The routes of one host and path by method. `HEAD` goes where it is listed, else where `GET` is, see
/// [gateway.http.MethodList]; `TRACE`, which shows a client what was added to its request, only where it is listed.
/// Answers are made when a route is added, so a match makes no object.
final class MethodRoutes {
    private static final String PREFLIGHT = "OPTIONS";
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";
    private static final String TRACE = "TRACE";

    private final Map<String, RouteMatch.Found> byMethod = new LinkedHashMap<>();
    private RouteMatch.@Nullable Found everyMethod;
    private RouteMatch.@Nullable Found preflight;
    private RouteMatch.@Nullable Found get;
    private RouteMatch wrongMethod = new RouteMatch.WrongMethod(Set.of());

    void add(Route route, String host, List<RouteConflict> conflicts) {
        var found = new RouteMatch.Found(route);
        Set<String> methods = route.api().match().methods();
        if (methods.isEmpty()) {
            RouteMatch.Found other = everyMethod;
            if (other == null) everyMethod = found;
            else conflicts.add(conflict(route, other, host, "every method"));
        }
        for (String method : new TreeSet<>(methods)) {
            RouteMatch.Found other = byMethod.putIfAbsent(method, found);
            if (other != null) conflicts.add(conflict(route, other, host, method));
        }
        get = byMethod.get(GET);
        if (preflight == null && answersPreflight(route)) preflight = found;
        wrongMethod = new RouteMatch.WrongMethod(allowed());
    }

    RouteMatch match(String method) {
        RouteMatch.Found found = byMethod.get(method);
        if (found != null) return found;
        if (get != null && method.equals(HEAD)) return get;
        if (preflight != null && method.equals(PREFLIGHT)) return preflight;
        return everyMethod == null || method.equals(TRACE) ? wrongMethod : everyMethod;
    }

    private Set<String> allowed() {
        var allowed = new TreeSet<>(byMethod.keySet());
        if (get != null) allowed.add(HEAD);
        if (preflight != null) allowed.add(PREFLIGHT);
        if (everyMethod != null)
            allowed.addAll(RouteMatch.WrongMethod.of(Set.of()).allowed());
        return allowed;
    }

    private static boolean answersPreflight(Route route) {
        return route.api().policies().stream().anyMatch(policy -> policy.spec().answersPreflight());
    }

    private static RouteConflict conflict(Route route, RouteMatch.Found other, String host, String method) {
        return new RouteConflict(
                route.api().id(), other.route().api().id(), host, route.path().toString(), method);
    }

    @Override
    public String toString() {
        return everyMethod != null ? "*" : Arrays.toString(byMethod.keySet().toArray());
    }
}
