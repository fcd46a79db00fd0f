package gateway.policies.standard;

import com.google.auto.service.AutoService;
import gateway.http.CanonicalPath;
import gateway.http.Exchange;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Sends clients to another place, of the same origin or on a host that the definition lists.
///
/// @param keepQuery whether the client's query goes along where the place has none of its own
public record Redirect(int status, RedirectPlace to, boolean keepQuery) implements PolicySpec {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
    private static final int TEMPORARY = 307;

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return this::answer;
    }

    private Verdict answer(Exchange exchange) {
        String path = to.path().path(exchange);
        Optional<String> flaw = PathRewrite.flaw(CanonicalPath.of(path)).or(() -> beginning(path));
        if (flaw.isPresent())
            return Verdict.stop(
                    Problem.of("bad-path", 400, "Bad request", flaw.get()).toResponse(exchange.requestId()));
        String query = to.query().map(own -> own.render(exchange)).orElse("");
        if (to.query().isEmpty() && keepQuery) query = exchange.outgoing().query();
        String location = to.origin(exchange) + path + (query.isEmpty() ? "" : '?' + query);
        return Verdict.answer(Response.of(status).with("Location", location));
    }

    /// To browsers `/%2Fhost` is a path. To whoever decodes it on the way, or redirects from there once more to what it
    /// has decoded, it is `//host`, another origin.
    private static Optional<String> beginning(String path) {
        boolean separated = path.regionMatches(true, 1, "%2F", 0, 3) || path.regionMatches(true, 1, "%5C", 0, 3);
        return separated ? Optional.of("the path begins with an encoded slash or backslash") : Optional.empty();
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "redirect";
        }

        @Override
        public Stage stage() {
            return Stage.CACHE;
        }

        @Override
        public Redirect read(ConfigNode node) {
            ConfigNode field =
                    node.field("status", "301, 302, 303, 307 or 308").obeys("{\"not\": {\"enum\": [304, 305, 306]}}");
            int status = (int) field.integer(301, 308, TEMPORARY);
            if (!STATUSES.contains(status)) field.problem("expected 301, 302, 303, 307 or 308, got " + status);
            ConfigNode hosts = node.field("hosts", "that it may lead to, with their ports; at most 100")
                    .unlessGiven("the same origin alone");
            List<String> listed = hosts.list(host -> host.requiredText().toLowerCase(Locale.ROOT));
            hosts.extent(0, 100);
            if (listed.size() > 100) hosts.problem("expected at most 100 hosts, got " + listed.size());
            Set<String> allowed = Set.copyOf(listed);
            RedirectPlace to = RedirectPlace.read(
                    node.field(
                            "to",
                            "a path with placeholders, or an URL whose host is `{request.host}` or one of"
                                    + " `hosts`; a query may follow"),
                    allowed);
            return new Redirect(
                    status,
                    to,
                    node.field("keepQuery", "whether the query goes along where `to` has none")
                            .bool(true));
        }
    }
}
