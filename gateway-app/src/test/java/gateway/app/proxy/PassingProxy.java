package gateway.app.proxy;

import gateway.policy.Policy;
import gateway.service.TrafficRecord;
import gateway.wire.io.RequestThreadMode;
import java.io.IOException;

/// A data plane with policies that see or change bodies on their way, and the first request through it: both of its
/// ends, once the upstream has read its head.
final class PassingProxy implements AutoCloseable {
    static final String ASK = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    static final String LARGE = "0123456789abcdef".repeat(20_000);

    final RawConnection client;
    final RawConnection upstream;

    /// As the upstream got it.
    final String head;

    private final Proxy proxy;

    private PassingProxy(Proxy proxy, String request) throws IOException {
        this.proxy = proxy;
        this.client = proxy.client().send(request);
        this.upstream = proxy.upstream().accept();
        this.head = upstream.readHead();
    }

    /// @param request as its client sends it
    static PassingProxy asked(String request, Policy... policies) throws IOException {
        return new PassingProxy(with(policies), request);
    }

    /// Nobody has asked yet.
    static Proxy with(Policy... policies) throws IOException {
        return Proxy.in(RequestThreadMode.IO).ioThreads(1).policies(policies).start();
    }

    /// The next connection that the upstream is asked by.
    RawConnection nextUpstream() throws IOException {
        return proxy.upstream().accept();
    }

    /// What is recorded of the next request that ends.
    TrafficRecord ended() throws InterruptedException {
        return proxy.ended();
    }

    DataPlane dataPlane() {
        return proxy.dataPlane();
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }
}
