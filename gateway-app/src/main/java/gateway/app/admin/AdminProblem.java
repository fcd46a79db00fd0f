package gateway.app.admin;

import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigProblem;
import gateway.json.Problems;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A request that is answered with a problem; unwinds to [AdminPlane], the only catcher.
final class AdminProblem extends RuntimeException {
    private final Problem problem;
    private final transient Map<String, String> headers;

    private AdminProblem(Problem problem, Map<String, String> headers) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.headers = headers;
    }

    static AdminProblem badRequest(String detail) {
        return of("bad-request", 400, "Bad request", detail);
    }

    static AdminProblem unauthorized(String detail) {
        return new AdminProblem(
                Problem.of("unauthorized", 401, "Admin token needed", detail),
                Map.of("WWW-Authenticate", "Bearer realm=\"gateway-admin\""));
    }

    static AdminProblem forbidden(String detail) {
        return of("forbidden", 403, "Forbidden", detail);
    }

    static AdminProblem notFound(String detail) {
        return of("not-found", 404, "Not found", detail);
    }

    static AdminProblem wrongMethod(String method, List<String> allowed) {
        String names = String.join(", ", allowed);
        return new AdminProblem(
                Problem.of("method-not-allowed", 405, "Method not allowed", "expected " + names + ", got " + method),
                Map.of("Allow", names));
    }

    static AdminProblem conflict(String detail) {
        return of("conflict", 409, "Conflict", detail);
    }

    static AdminProblem conflict(List<ConfigProblem> problems) {
        return refused("conflict", 409, "Conflict", problems);
    }

    static AdminProblem preconditionFailed(String detail) {
        return of("precondition-failed", 412, "Precondition failed", detail);
    }

    static AdminProblem unsupportedMediaType(String got) {
        return of("unsupported-media-type", 415, "Unsupported media type", "expected application/json, got " + got);
    }

    static AdminProblem refused(List<ConfigProblem> problems) {
        return refused("invalid", 422, "Refused", problems);
    }

    /// What is wrong with definitions; empty for any other problem.
    List<ConfigProblem> problems() {
        return problem.errors();
    }

    /// The same problem with other errors.
    AdminProblem withProblems(UnaryOperator<ConfigProblem> other) {
        List<ConfigProblem> others = problems().stream().map(other).toList();
        String detail = others.size() == 1 ? others.getFirst().toString() : problem.detail();
        return new AdminProblem(
                new Problem(problem.type(), problem.status(), problem.title(), detail, others), headers);
    }

    /// @param host checked to be one (RFC 9110 §7.2)
    static AdminProblem misdirected(String host) {
        return of(
                "misdirected",
                421,
                "Misdirected request",
                "expected a host of the admin plane, got " + host + "; GATEWAY_ADMIN_HOSTS names further ones");
    }

    static AdminProblem unavailable(String detail) {
        return new AdminProblem(
                Problem.of("store-unavailable", 503, "Store unavailable", detail), Map.of("Retry-After", "1"));
    }

    Response response(String requestId) {
        Response response = problem.toResponse(requestId);
        headers.forEach(response::with);
        return response;
    }

    private static AdminProblem refused(String type, int status, String title, List<ConfigProblem> problems) {
        return new AdminProblem(new Problem(type, status, title, detail(problems), Problems.told(problems)), Map.of());
    }

    private static String detail(List<ConfigProblem> problems) {
        if (problems.size() == 1) return problems.getFirst().toString();
        return problems.size() > Problems.MOST
                ? "more than " + Problems.MOST + " problems"
                : problems.size() + " problems";
    }

    private static AdminProblem of(String type, int status, String title, String detail) {
        return new AdminProblem(Problem.of(type, status, title, detail), Map.of());
    }
}
