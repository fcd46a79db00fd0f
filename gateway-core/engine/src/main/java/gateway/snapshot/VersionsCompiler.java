package gateway.snapshot;

import gateway.config.ApiDefinition;
import gateway.config.UpstreamDefinition;
import gateway.config.VersionDefinition;
import gateway.config.VersionsDefinition;
import gateway.config.VersionsDefinition.In;
import gateway.http.PathPattern;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.pipeline.Pipeline;
import gateway.policy.Condition;
import gateway.policy.PolicyDefinition;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.route.ForwardedPath;
import gateway.route.Route;
import gateway.route.RouteVersion;
import gateway.route.RouteVersions;
import gateway.route.VersionExpiry;
import gateway.route.VersionNotice;
import gateway.route.VersionRefusal;
import gateway.route.VersionStrip;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes the routes of one API with versions: a pipeline for each version, and for each way in which a request may
/// name none.
///
/// Refusals come behind the policies that guard the API: what answers preflights does so still, and who is shut out
/// learns nothing of versions.
final class VersionsCompiler {
    private final ApiDefinition api;
    private final VersionsDefinition versions;
    private final Services services;
    private final Function<UpstreamDefinition, Upstream> upstreams;
    private final PathPattern path;
    private @Nullable Upstream shared;

    VersionsCompiler(
            ApiDefinition api,
            VersionsDefinition versions,
            Services services,
            Function<UpstreamDefinition, Upstream> upstreams) {
        this.api = api;
        this.versions = versions;
        this.services = services;
        this.upstreams = upstreams;
        this.path = PathPattern.of(api.match().path());
    }

    /// The route of the API's match, which has the others.
    ///
    /// @throws InvalidConfigException when something that the definition names cannot be used
    Route compile() {
        Map<String, Route> named = named();
        Optional<Route> standard = versions.defaultVersion().map(named::get);
        Route missing = standard.map(this::unnamed).orElseGet(() -> refusing(VersionRefusal.missing(versions)));
        return missing.choosing(
                switch (versions.in()) {
                    case HEADER -> new RouteVersions.ByHeader(versions.name(), named, otherwise(missing));
                    case QUERY -> new RouteVersions.ByQuery(versions.name(), named, otherwise(missing));
                    case PATH -> new RouteVersions.ByPath(named, missing, refusing(VersionRefusal.ambiguous(versions)));
                });
    }

    private RouteVersions.Otherwise otherwise(Route missing) {
        return new RouteVersions.Otherwise(
                missing,
                versions.fallbackToDefault() ? missing : refusing(VersionRefusal.unknown(versions)),
                refusing(VersionRefusal.ambiguous(versions)));
    }

    private Map<String, Route> named() {
        var problems = new ArrayList<ConfigProblem>();
        var named = new LinkedHashMap<String, Route>();
        for (int i = 0; i < versions.list().size(); i++) {
            VersionDefinition version = versions.list().get(i);
            try {
                named.put(version.name(), route(version));
            } catch (InvalidConfigException e) {
                String at = version.upstream().isPresent() ? "/versions/list/" + i : "";
                for (ConfigProblem each : e.problems()) {
                    problems.add(new ConfigProblem(at + each.pointer(), each.message()));
                }
            }
        }
        if (!problems.isEmpty())
            throw new InvalidConfigException(problems.stream().distinct().toList());
        return named;
    }

    private Route route(VersionDefinition version) {
        ApiDefinition definition = api.in(version);
        VersionNotice notice = VersionNotice.of(version, versions);
        var policies = new ArrayList<PolicyDefinition>();
        if (!notice.isEmpty()) policies.add(step("version-notice", Stage.GUARD, notice));
        if (versions.strip() && versions.in() != In.PATH) {
            policies.add(step("version-strip", Stage.TRANSFORM, VersionStrip.of(versions)));
        }
        policies.addAll(definition.policies());
        version.expires().ifPresent(expires -> policies.add(step("version", Stage.GUARD, new VersionExpiry(expires))));
        Upstream upstream = version.upstream().map(upstreams).orElseGet(this::shared);
        var route = new Route(
                definition,
                versions.in() == In.PATH ? segment(version.name()) : path,
                Pipeline.compile(api.id(), policies, upstream, services),
                forwarded(version.name()),
                new RouteVersion(version.name(), notice),
                null,
                null);
        return OperationsCompiler.with(route, policies, services);
    }

    /// Versions without an upstream of their own share one.
    private Upstream shared() {
        if (shared == null) shared = upstreams.apply(api.upstream());
        return shared;
    }

    private PathPattern segment(String name) {
        return PathPattern.of(path.toString().equals("/") ? "/" + name : path + "/" + name);
    }

    private ForwardedPath forwarded(String name) {
        if (versions.in() != In.PATH || !versions.strip()) return forwarded();
        PathPattern segment = segment(name);
        return api.stripPath() ? new ForwardedPath.Below(segment) : new ForwardedPath.Without(path, segment);
    }

    private ForwardedPath forwarded() {
        return api.stripPath() ? new ForwardedPath.Below(path) : new ForwardedPath.Whole();
    }

    /// `version` for requests whose path does not name it.
    private Route unnamed(Route version) {
        return version.at(path, forwarded());
    }

    private Route refusing(VersionRefusal refusal) {
        var policies = new ArrayList<PolicyDefinition>();
        VersionNotice notice = VersionNotice.ofNone(versions);
        if (!notice.isEmpty()) policies.add(step("version-notice", Stage.GUARD, notice));
        for (PolicyDefinition policy : api.policies()) {
            if (policy.stage() == Stage.GUARD) policies.add(policy);
        }
        policies.add(step("version", Stage.GUARD, refusal));
        return new Route(
                api,
                path,
                Pipeline.compile(api.id(), policies, LeftOut.NOWHERE, services),
                forwarded(),
                null,
                null,
                null);
    }

    private static PolicyDefinition step(String name, Stage stage, PolicySpec spec) {
        return new PolicyDefinition(name, stage, spec, Condition.ALWAYS);
    }
}
