package gateway.config;

import gateway.json.ConfigNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;

/// Reads the `upstream` of an API definition.
final class UpstreamReader {
    private static final URI STAND_IN = URI.create("http://localhost");
    private static final int MOST_TARGETS = 256;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private UpstreamReader() {}

    static UpstreamDefinition read(ConfigNode node) {
        node.requireObject();
        Duration timeout = node.field("timeout").duration(SHORTEST, LONGEST, Duration.ofSeconds(30));
        var upstream = new UpstreamDefinition(
                UpstreamTlsReader.secured(readTargets(node.field("targets")), node.field("tls")),
                node.field("balance").choice(UpstreamDefinition.Balance.ROUND_ROBIN),
                node.field("connectTimeout").duration(SHORTEST, LONGEST, Duration.ofSeconds(2)),
                node.field("responseTimeout").duration(SHORTEST, LONGEST, timeout),
                timeout,
                node.field("preserveHost").bool(false));
        node.refuseUnknownFields();
        return upstream;
    }

    private static List<TargetDefinition> readTargets(ConfigNode node) {
        List<TargetDefinition> targets = node.list(UpstreamReader::readTarget);
        if (!node.isPresent()) {
            node.problem("expected an array of targets, got nothing");
        } else if (targets.size() > MOST_TARGETS
                || (targets.isEmpty() && node.names().isEmpty() && isArray(node))) {
            node.problem("expected 1 to " + MOST_TARGETS + " targets, got " + targets.size());
        }
        return targets;
    }

    private static boolean isArray(ConfigNode node) {
        return node.json().filter(tools.jackson.databind.JsonNode::isArray).isPresent();
    }

    private static TargetDefinition readTarget(ConfigNode node) {
        node.requireObject();
        var target = new TargetDefinition(
                readUrl(node.field("url")), (int) node.field("weight").integer(1, 1000, 1));
        node.refuseUnknownFields();
        return target;
    }

    private static URI readUrl(ConfigNode node) {
        String text = node.requiredText();
        if (text.isEmpty()) return STAND_IN;
        try {
            URI url = new URI(text);
            if (sound(url)) return url;
        } catch (URISyntaxException e) {
            // reported below, as any other text that is no such URL
        }
        node.problem("expected a URL such as \"http://10.0.0.1:9001/base\" without user, query or fragment, got \""
                + text + "\"");
        return STAND_IN;
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
