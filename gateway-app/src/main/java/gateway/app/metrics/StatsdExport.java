package gateway.app.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;

/// Tells metrics to a StatsD daemon over UDP: what was counted since the last time, not each request.
///
/// Decision 0075 says why it is not Micrometer's. What a datagram loses is lost: UDP tells no more than that nobody
/// listens, and that only on the same machine or with luck.
final class StatsdExport implements AutoCloseable {
    private static final int DATAGRAM = 1432; // fits the usual network without fragments

    private static final int CONVINCING = 3; // refusals come only with the next datagram, so every other one succeeds

    private final StatsdReceiver receiver;
    private final MeterRegistry registry;
    private final StatsdLines lines;
    private final ReceiverOutageLog outageLog;
    private final DatagramChannel channel;
    private final ByteBuffer datagram = ByteBuffer.allocate(DATAGRAM);

    private StatsdExport(StatsdReceiver receiver, MeterRegistry registry, DatagramChannel channel) {
        this.receiver = receiver;
        this.registry = registry;
        this.channel = channel;
        this.lines = new StatsdLines(receiver.dialect());
        this.outageLog =
                new ReceiverOutageLog("StatsD receiver " + receiver.host() + ":" + receiver.port(), CONVINCING);
    }

    /// @throws UncheckedIOException when the process may open no more sockets
    static StatsdExport open(StatsdReceiver receiver, MeterRegistry registry) {
        try {
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_SNDBUF, 1 << 20);
            return new StatsdExport(receiver, registry, channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends what changed. Called by one thread at a time.
    void tell() {
        try {
            if (!channel.isConnected()) channel.connect(address());
            datagram.clear();
            for (Meter meter : registry.getMeters()) {
                for (String line : lines.of(meter)) add(line);
            }
            lines.forgetGone();
            send();
            outageLog.succeeded();
        } catch (IOException e) {
            outageLog.failed(e);
        }
    }

    private InetSocketAddress address() throws IOException {
        var address = new InetSocketAddress(receiver.host(), receiver.port());
        if (address.isUnresolved()) throw new IOException("the name is unknown");
        return address;
    }

    private void add(String line) throws IOException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        if (bytes.length + 1 > DATAGRAM) return; // a name that long is none
        if (datagram.remaining() < bytes.length + 1) send();
        datagram.put(bytes).put((byte) '\n');
    }

    private void send() throws IOException {
        datagram.flip();
        if (datagram.hasRemaining()) channel.write(datagram);
        datagram.clear();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
