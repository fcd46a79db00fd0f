package gateway.route;

import gateway.config.VersionsDefinition;
import gateway.config.VersionsDefinition.In;
import gateway.http.Problem;
import gateway.policy.CompiledPolicy;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Verdict;

/// Refuses every request: it does not say which version it wants, or not in a way that everybody understands alike.
public record VersionRefusal(Problem problem) implements PolicySpec {
    /// The request names no version, and there is no default.
    public static VersionRefusal missing(VersionsDefinition versions) {
        if (versions.in() == In.PATH) {
            return refusal("version-unknown", 404, "Unknown version", "The path names no version of this API");
        }
        return refusal("version-missing", 400, "Version missing", "Name a version of this API in " + place(versions));
    }

    /// The request names a version that does not exist.
    public static VersionRefusal unknown(VersionsDefinition versions) {
        return refusal(
                "version-unknown", 400, "Unknown version", "There is no version of that name in " + place(versions));
    }

    /// The upstream, or something in between, might read another version than the gateway.
    public static VersionRefusal ambiguous(VersionsDefinition versions) {
        if (versions.in() == In.PATH) {
            return refusal("version-ambiguous", 400, "Ambiguous version", "Name a version without path parameters");
        }
        String once = versions.in() == In.QUERY ? "once, without percent-encoding, in " : "once in ";
        return refusal("version-ambiguous", 400, "Ambiguous version", "Name one version, " + once + place(versions));
    }

    private static String place(VersionsDefinition versions) {
        return (versions.in() == In.QUERY ? "the query parameter " : "the header ") + versions.name();
    }

    private static VersionRefusal refusal(String type, int status, String title, String detail) {
        return new VersionRefusal(Problem.of(type, status, title, detail));
    }

    @Override
    public CompiledPolicy compile(PolicyPlace placement, Services services) {
        return (Policy) exchange -> Verdict.stop(problem.toResponse(exchange.requestId()));
    }
}
