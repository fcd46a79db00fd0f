package gateway.app.steering;

import gateway.config.HealthCheckDefinition;
import gateway.config.TargetDefinition;
import gateway.config.UpstreamDefinition;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.net.UpstreamTls;
import gateway.wire.client.ProbeTerms;
import gateway.wire.client.Resolver;
import gateway.wire.client.Target;
import gateway.wire.client.Terms;
import gateway.wire.client.Timeouts;
import gateway.wire.tls.ClientTls;
import gateway.wire.tls.TlsFilesException;
import java.util.List;
import java.util.stream.Stream;

/// What the upstream client needs to know of a definition, in its own words.
final class UpstreamTerms {
    private UpstreamTerms() {}

    static Terms of(UpstreamDefinition definition, Resolver resolver) {
        var timeouts = new Timeouts(
                definition.connectTimeout().toNanos(),
                definition.responseTimeout().toNanos(),
                Long.MAX_VALUE,
                definition.timeout().toNanos());
        long refresh = definition.steering().dnsRefresh().toNanos();
        return new Terms(timeouts, definition.preserveHost(), resolver, refresh);
    }

    static List<Target> targets(UpstreamDefinition definition) {
        return definition.targets().stream().map(UpstreamTerms::target).toList();
    }

    static Target target(TargetDefinition definition) {
        return Target.of(definition.url(), definition.tls(), definition.protocol());
    }

    static ProbeTerms probe(HealthCheckDefinition definition) {
        var kind = switch (definition.type()) {
            case HTTP -> ProbeTerms.Kind.HTTP;
            case TCP -> ProbeTerms.Kind.TCP;
            case GRPC -> ProbeTerms.Kind.GRPC;
        };
        return new ProbeTerms(kind, definition.path(), definition::isGood, definition.service(), definition.timeout());
    }

    /// Looks whether every target could be spoken to by TLS.
    ///
    /// @throws InvalidConfigException naming each file that cannot be used, under `/upstream/tls`
    static void checkTls(List<TargetDefinition> targets) {
        checkTls(targets.stream().flatMap(target -> target.tls().stream()), "/upstream/tls/");
    }

    /// Looks whether servers could be spoken to by TLS.
    ///
    /// @param place where the files are named, with a slash at its end
    /// @throws InvalidConfigException naming each file that cannot be used
    static void checkTls(Stream<UpstreamTls> servers, String place) {
        try {
            ClientTls.check(servers);
        } catch (TlsFilesException e) {
            throw new InvalidConfigException(
                    e.faults().stream().map(fault -> problem(fault, place)).toList());
        }
    }

    private static ConfigProblem problem(TlsFilesException.Fault fault, String place) {
        String field = switch (fault.use()) {
            case CERTIFICATE -> "certificate";
            case TRUST -> "ca";
        };
        return new ConfigProblem(place + field, fault.message());
    }
}
