package gateway.app.proxy;

import gateway.http.Headers;
import gateway.net.IpRanges;
import gateway.snapshot.RequestPreparation;
import gateway.wire.io.FieldView;
import gateway.wire.io.HeadWriter;
import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.net.InetAddress;

/// Prepares the fields of requests that nobody has sent as it is done for those that come.
public final class SupposedFields implements RequestPreparation {
    private final RequestFields fields;

    public SupposedFields(IpRanges trustedProxies) {
        fields = new RequestFields(trustedProxies, new RequestSpans(null), false);
    }

    @Override
    public Prepared prepare(Headers sent, InetAddress peer, String scheme) {
        var map = new HeaderMap();
        sent.forEach((name, value) -> map.add(new HttpString(name), value));
        String host = map.getFirst(io.undertow.util.Headers.HOST);
        fields.dropHopByHop(map);
        String id = fields.describe(map, peer, peer.getHostAddress(), scheme, new HeadWriter());
        return new Prepared(
                id, host == null ? "" : RequestTarget.host(host), fields.client(map, peer), new FieldView(map));
    }
}
