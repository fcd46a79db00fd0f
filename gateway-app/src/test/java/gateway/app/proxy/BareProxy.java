package gateway.app.proxy;

import gateway.app.steering.Upstreams;
import gateway.net.IpRanges;
import gateway.service.ApiMeters;
import gateway.service.TrafficLog;
import gateway.wire.accept.Listening;
import gateway.wire.io.RequestThreadMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/// The data plane alone, with one route and no policies: what the benchmark of bare proxying starts.
///
/// Arguments: port, upstream URL, IO threads, `IO` or `JDK`, and `http2` when it is to be taken too.
final class BareProxy {
    private BareProxy() {}

    public static void main(String[] arguments) throws Exception {
        var settings = DataPlaneSettings.on(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])))
                .withIoThreads(Integer.parseInt(arguments[2]))
                .withRequestThreads(RequestThreadMode.valueOf(arguments[3]));
        var api = OneRoute.api("/", false, OneRoute.to(arguments[1]));
        boolean http2 = arguments.length > 4 && arguments[4].equals("http2");
        var dataPlane = new DataPlane(
                settings,
                new Listening(Optional.empty(), IpRanges.NONE, http2),
                OneRoute.live(api, new Upstreams()::upstreamFor),
                ApiMeters.NONE,
                TrafficLog.OFF,
                null);
        System.out.println("listening on " + dataPlane.address() + ", request threads: " + dataPlane.requestThreads());
        Thread.currentThread().join();
    }
}
