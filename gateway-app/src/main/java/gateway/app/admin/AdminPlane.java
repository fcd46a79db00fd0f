package gateway.app.admin;

import static gateway.app.log.LogFields.about;
import static gateway.app.log.LogFields.after;

import gateway.app.log.Pace;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.service.ConflictException;
import gateway.service.DependencyException;
import gateway.wire.http1.SentTarget;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// The admin plane: a few open pages, and the admin API behind its tokens. Turns whatever happens into an answer.
public final class AdminPlane implements AdminHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPlane.class);
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private final Pace pace = Pace.ofOneASecond();
    private final Map<String, Supplier<Response>> open;
    private final AdminTokens tokens;
    private final AdminRouter router;
    private final AdminHosts hosts;

    AdminPlane(Map<String, Supplier<Response>> open, AdminTokens tokens, AdminRouter router, AdminHosts hosts) {
        this.hosts = hosts;
        this.open = Map.copyOf(open);
        this.tokens = tokens;
        this.router = router;
    }

    /// With its open pages and what the process is.
    ///
    /// @param metrics the Prometheus text of `/metrics`
    public static AdminPlane ofProcess(
            HealthPages health, Supplier<String> metrics, RuntimeJson runtime, AdminTokens tokens, AdminHosts hosts) {
        var router = new AdminRouter(List.of(ProcessResource.runtime(runtime::now)));
        return new AdminPlane(pages(health, metrics), tokens, router, hosts);
    }

    static Map<String, Supplier<Response>> pages(HealthPages health, Supplier<String> metrics) {
        Map<String, Supplier<Response>> open = new HashMap<>(health.pages());
        open.put("/metrics", () -> Response.of(200, PROMETHEUS, metrics.get().getBytes(StandardCharsets.UTF_8)));
        return open;
    }

    /// Nobody without a token, and no open page, has a body read.
    @Override
    public boolean admits(AdminRequest head) {
        return isBelow(head.path()) && caller(head).isPresent();
    }

    @Override
    public int mostBytes(AdminRequest head) {
        return router.mostBytes(head);
    }

    @Override
    public Response handle(AdminRequest request) {
        return answer(request).with("X-Request-Id", request.requestId()).with("Cache-Control", "no-store");
    }

    private Response answer(AdminRequest request) {
        String requestId = request.requestId();
        try {
            return route(request);
        } catch (AdminProblem e) {
            return e.response(requestId);
        } catch (InvalidConfigException e) {
            return AdminProblem.refused(e.problems()).response(requestId);
        } catch (ConflictException e) {
            return AdminProblem.conflict(String.valueOf(e.getMessage())).response(requestId);
        } catch (DependencyException e) {
            tell(LOG.atWarn(), request, e, "an admin request failed: " + e.getMessage());
            return AdminProblem.unavailable(e.dependency() + " does not answer").response(requestId);
        } catch (Exception | Error e) { // nobody above answers or tells of it
            tell(LOG.atError().setCause(e), request, e, "an admin request failed");
            return Problem.of("internal", 500, "Internal error", "see the log for this request id")
                    .toResponse(requestId);
        }
    }

    /// Once a second for each kind: open pages can be asked by anybody.
    private void tell(LoggingEventBuilder line, AdminRequest request, Throwable failure, String message) {
        long suppressed = pace.enter(failure.getClass().getName());
        if (suppressed == Pace.SUPPRESSED) return;
        after(suppressed, about(line, request.requestId(), ""))
                .addKeyValue("http.request.method", request.method())
                .addKeyValue("url.path", request.path())
                .log(message);
    }

    private Response route(AdminRequest request) {
        requireHost(request);
        if (request.path().equals(SentTarget.SERVER)) return Response.of(200); // OPTIONS (RFC 9110 §9.3.7)
        Supplier<Response> page = open.get(request.path());
        if (page != null) {
            if (request.method().equals("GET") || request.method().equals("HEAD")) return page.get();
            throw AdminProblem.wrongMethod(request.method(), List.of("GET", "HEAD"));
        }
        if (!isBelow(request.path())) throw AdminProblem.notFound("nothing is at " + request.path());
        return router.answer(
                request,
                caller(request)
                        .orElseThrow(
                                () -> AdminProblem.unauthorized("expected Authorization: Bearer and an admin token")));
    }

    /// Who has a token is no page of another site.
    private void requireHost(AdminRequest request) {
        Optional<String> host = request.headers().first("Host");
        if (!hosts.know(host) && caller(request).isEmpty()) throw AdminProblem.misdirected(host.orElse(""));
    }

    private Optional<AdminCaller> caller(AdminRequest request) {
        return tokens.caller(request.headers().first("Authorization"));
    }

    private static boolean isBelow(String path) {
        return path.equals(AdminRouter.BASE) || path.startsWith(AdminRouter.BASE + "/");
    }
}
