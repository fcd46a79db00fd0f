package gateway.app.upstream;

import gateway.service.UpstreamException;
import gateway.service.UpstreamException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xnio.IoFuture;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;

/// One attempt to reach a server: resolves its name, then tries its addresses in order. Runs on the IO thread.
final class Connector {
    private static final OptionMap OPTIONS = OptionMap.create(Options.TCP_NODELAY, true);

    private final UpstreamCall call;
    private final Lane lane;
    private final TargetAddress address;
    private List<InetAddress> candidates = List.of();
    private int tried;
    private boolean cancelled;
    private @Nullable IoFuture<StreamConnection> attempt;

    Connector(UpstreamCall call, Lane lane, TargetAddress address) {
        this.call = call;
        this.lane = lane;
        this.address = address;
    }

    void start(Resolver resolver) {
        List<InetAddress> known = resolver.known(address.host());
        if (known != null) {
            resolved(known);
            return;
        }
        resolver.resolve(address.host(), found -> lane.io().execute(() -> resolved(found)));
    }

    void cancel() {
        cancelled = true;
        if (attempt != null) attempt.cancel();
    }

    private void resolved(List<InetAddress> found) {
        if (cancelled) return;
        candidates = found;
        tryNext();
    }

    private void tryNext() {
        if (tried == candidates.size()) {
            String why = candidates.isEmpty() ? "the upstream's name is unknown" : "no connection to the upstream";
            call.fail(new UpstreamException(Kind.UNREACHABLE, why));
            return;
        }
        InetSocketAddress destination = new InetSocketAddress(candidates.get(tried++), address.port());
        attempt = lane.io().openStreamConnection(destination, null, OPTIONS);
        attempt.addNotifier(new Arrival(), this);
    }

    /// Told on the IO thread how an attempt ended.
    private static final class Arrival extends IoFuture.HandlingNotifier<StreamConnection, Connector> {
        @Override
        public void handleDone(StreamConnection channel, Connector connector) {
            UpstreamConnection connection = new UpstreamConnection(connector.lane, connector.address, channel);
            if (connector.cancelled) connection.close();
            else connector.call.begin(connection);
        }

        @Override
        public void handleFailed(IOException exception, Connector connector) {
            if (!connector.cancelled) connector.tryNext();
        }
    }
}
