package gateway.config;

import gateway.json.ConfigNode;
import gateway.net.AllowedNetworks;
import gateway.service.CallTarget;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/// Reads the server that a policy calls: an object with `url`, `tls`, `protocol` and `connectTimeout`, which mean what
/// they mean in an API's `upstream`.
public final class CallTargetReader {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private CallTargetReader() {}

    /// The server of a URL that stands in a field of its own, such as that of a key set.
    ///
    /// @param origin scheme, host and port
    /// @param tls the field that says how it is spoken to, as in an API's `upstream`
    public static CallTarget of(URI origin, ConfigNode tls) {
        var plain = List.of(new TargetDefinition(origin, 1));
        TargetDefinition target = UpstreamTlsReader.secured(plain, tls).getFirst();
        return new CallTarget(target.url(), target.tls(), target.protocol(), CallTarget.USUAL_CONNECT_TIMEOUT);
    }

    /// Whether this gateway may call it is asked when the policy is compiled, see [gateway.service.Calls#to].
    public static CallTarget read(ConfigNode node) {
        node.requireObject();
        var reader = new UpstreamReader(AllowedNetworks.USUAL);
        var plain = List.of(new TargetDefinition(reader.readUrl(node.field("url")), 1));
        TargetDefinition target = UpstreamReader.spokenTo(
                        UpstreamTlsReader.secured(plain, node.field("tls")), node.field("protocol"))
                .getFirst();
        Duration connectTimeout =
                node.field("connectTimeout").duration(SHORTEST, LONGEST, CallTarget.USUAL_CONNECT_TIMEOUT);
        node.refuseUnknownFields();
        return new CallTarget(target.url(), target.tls(), target.protocol(), connectTimeout);
    }
}
