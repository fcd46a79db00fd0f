package gateway.config;

import gateway.json.ConfigNode;
import gateway.net.AllowedNetworks;
import gateway.net.UpstreamProtocol;
import gateway.net.UrlForm;
import gateway.policy.ConditionType;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Reads the `upstream` of an API definition.
final class UpstreamReader {
    private static final URI STAND_IN = URI.create("http://localhost");
    private static final int MOST_TARGETS = 256;

    /// One that is not given is 1.
    private static final String SOME_WEIGHT =
            "{\"contains\": {\"properties\": {\"weight\": {\"not\": {\"const\": 0}}}}}";

    private static final Duration SHORTEST = Duration.ofMillis(1);
    static final Duration LONGEST = Duration.ofHours(24);

    private final AllowedNetworks networks;
    private final Collection<ConditionType> conditions;

    /// @param networks that targets may lie in
    UpstreamReader(AllowedNetworks networks) {
        this(networks, List.of());
    }

    /// @param conditions that a split may name besides those that are known anyway
    UpstreamReader(AllowedNetworks networks, Collection<ConditionType> conditions) {
        this.networks = networks;
        this.conditions = conditions;
    }

    Collection<ConditionType> conditions() {
        return conditions;
    }

    /// @param name of the upstream
    UpstreamDefinition read(ConfigNode node, String name) {
        node.named("UpstreamDefinition", here -> read(here, name));
        node.requireObject();
        Duration timeout =
                node.field("timeout", "of the whole exchange").duration(SHORTEST, LONGEST, Duration.ofSeconds(30));
        var balance =
                node.field("balance", "which target gets a request").choice(UpstreamDefinition.Balance.ROUND_ROBIN);
        List<TargetDefinition> own = readTargets(node.field("targets", "where requests go, 1 to 256"));
        Optional<SplitDefinition> split = readSplit(node.field("split", "some requests go to other targets"));
        Optional<MirrorDefinition> mirror =
                readMirror(node.field("mirror", "a second upstream gets copies of requests"));
        List<TargetDefinition> all = spokenTo(
                UpstreamTlsReader.secured(
                        all(own, split, mirror),
                        node.field("tls", "how targets that begin with `https://` are spoken to")),
                node.field("protocol", "by which they are spoken to"));
        int mirrored = all.size() - mirror.map(each -> each.targets().size()).orElse(0);
        var upstream = new UpstreamDefinition(
                all.subList(0, own.size()),
                balance,
                node.field("connectTimeout", "for the connection, handshake of TLS included")
                        .duration(SHORTEST, LONGEST, Duration.ofSeconds(2)),
                node.field("responseTimeout", "until the head of the answer")
                        .unlessGiven("`timeout`")
                        .duration(SHORTEST, LONGEST, timeout),
                timeout,
                node.field("preserveHost", "send the client's `Host` rather than the target's")
                        .bool(false),
                new SteeringReader(timeout)
                        .read(
                                node,
                                name,
                                balance,
                                split.map(each -> each.with(all.subList(own.size(), mirrored))),
                                mirror.map(each -> each.with(all.subList(mirrored, all.size())))));
        node.refuseUnknownFields();
        return upstream;
    }

    private Optional<SplitDefinition> readSplit(ConfigNode node) {
        if (!node.expectObject()) return Optional.empty();
        SplitDefinition split = SplitReader.read(node, this);
        node.refuseUnknownFields();
        return Optional.of(split);
    }

    private Optional<MirrorDefinition> readMirror(ConfigNode node) {
        if (!node.expectObject()) return Optional.empty();
        var mirror = new MirrorDefinition(
                readTargets(node.field("targets", "where copies go, 1 to 256")),
                (int) node.field("percent", "of requests that are copied").integer(1, 100, 100),
                (int) node.field("requests", "copies under way at once").integer(1, 10_000, 100));
        node.refuseUnknownFields();
        return Optional.of(mirror);
    }

    private static List<TargetDefinition> all(
            List<TargetDefinition> own, Optional<SplitDefinition> split, Optional<MirrorDefinition> mirror) {
        var all = new ArrayList<>(own);
        split.ifPresent(each -> all.addAll(each.targets()));
        mirror.ifPresent(each -> all.addAll(each.targets()));
        return all;
    }

    /// `targets` by the protocol that `node` says.
    static List<TargetDefinition> spokenTo(List<TargetDefinition> targets, ConfigNode node) {
        UpstreamProtocol protocol = node.choice(UpstreamProtocol.HTTP1);
        if (protocol == UpstreamProtocol.HTTP1) return targets;
        boolean clear = protocol == UpstreamProtocol.H2C;
        if (targets.stream().anyMatch(target -> target.tls().isPresent() == clear))
            node.problem(
                    clear
                            ? "expected \"h2\", \"auto\" or \"http1\", since a target begins with https://"
                            : "expected \"h2c\" or \"http1\", since a target begins with http://");
        return targets.stream().map(target -> target.by(protocol)).toList();
    }

    List<TargetDefinition> readTargets(ConfigNode node) {
        List<TargetDefinition> targets =
                node.extent(1, MOST_TARGETS).obeys(SOME_WEIGHT).list(this::readTarget);
        if (!node.isPresent()) {
            node.problem("expected an array of targets, got nothing");
        } else if (targets.size() > MOST_TARGETS
                || (targets.isEmpty() && node.names().isEmpty() && isArray(node))) {
            node.problem("expected 1 to " + MOST_TARGETS + " targets, got " + targets.size());
        } else if (!targets.isEmpty() && targets.stream().allMatch(target -> target.weight() == 0)) {
            node.problem("expected a target with a weight over 0, got none");
        }
        return targets;
    }

    private static boolean isArray(ConfigNode node) {
        return node.json().filter(tools.jackson.databind.JsonNode::isArray).isPresent();
    }

    private TargetDefinition readTarget(ConfigNode node) {
        node.requireObject();
        var target = new TargetDefinition(readUrl(node.field("url", "`http` or `https`, host, port, base path")), (int)
                node.field("weight", "its share of requests; 0: none").integer(0, 1000, 1));
        node.refuseUnknownFields();
        return target;
    }

    URI readUrl(ConfigNode node) {
        String text = node.like(UrlForm.BASE).requiredText();
        if (text.isEmpty()) return STAND_IN;
        if (isUnixDomain(text)) {
            node.problem("expected a URL such as \"http://127.0.0.1:9001\", got \"" + text
                    + "\"; Unix-domain sockets cannot be reached, let the server listen on loopback");
            return STAND_IN;
        }
        try {
            URI url = new URI(text);
            if (sound(url)) {
                Optional<String> flaw = networks.flaw(url.getHost());
                flaw.ifPresent(node::problem);
                return flaw.isPresent() ? STAND_IN : url;
            }
        } catch (URISyntaxException e) {
            // reported below, as any other text that is no such URL
        }
        node.problem("expected a URL such as \"http://10.0.0.1:9001/base\" without user, query or fragment, got \""
                + text + "\"");
        return STAND_IN;
    }

    /// In one of the ways that others write it; docs/decisions/0112-unix-domain-upstreams.md says why not.
    private static boolean isUnixDomain(String text) {
        return text.startsWith("unix:") || text.startsWith("http+unix:") || text.startsWith("https+unix:");
    }

    private static boolean sound(URI url) {
        return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null
                && url.getPort() != 0
                && url.getPort() <= 65535
                && url.equals(url.normalize());
    }
}
