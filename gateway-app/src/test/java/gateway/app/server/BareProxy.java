package gateway.app.server;

import gateway.app.upstream.Upstreams;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// The data plane alone, with one route and no policies: what the benchmark of bare proxying starts.
///
/// Arguments: port, upstream URL, IO threads, `IO` or `JDK`.
final class BareProxy {
    private BareProxy() {}

    public static void main(String[] arguments) throws Exception {
        var settings = DataPlaneSettings.on(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])))
                .withIoThreads(Integer.parseInt(arguments[2]))
                .withRequestThreads(RequestThreadMode.valueOf(arguments[3]));
        var api = OneRoute.api("/", false, OneRoute.to(arguments[1]));
        var dataPlane = new DataPlane(settings, OneRoute.live(api, new Upstreams()::upstreamFor));
        System.out.println("listening on " + dataPlane.address() + ", request threads: " + dataPlane.requestThreads());
        Thread.currentThread().join();
    }
}
