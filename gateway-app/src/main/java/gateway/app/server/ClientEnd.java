package gateway.app.server;

import gateway.app.upstream.TunnelEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.StreamConnection;
import org.xnio.conduits.StreamSinkConduit;

/// The client's end of a tunnel. Reads below the strict check, which knows HTTP only.
final class ClientEnd implements TunnelEnd {
    private final StreamConnection channel;
    private final ClientSource source;
    private final StreamSinkConduit sink;
    private boolean finishing;

    ClientEnd(StreamConnection channel, ClientSource source) {
        this.channel = channel;
        this.source = source;
        this.sink = channel.getSinkChannel().getConduit();
    }

    @Override
    public void attach(Runnable readable, Runnable writable) {
        channel.getSourceChannel().setReadListener(_ -> readable.run());
        channel.getSinkChannel().setWriteListener(_ -> writable.run());
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return source.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return sink.write(from);
    }

    @Override
    public boolean finish() throws IOException {
        if (!finishing) sink.terminateWrites();
        finishing = true;
        return sink.flush();
    }

    @Override
    public void watchReads(boolean watch) {
        if (watch == source.isReadResumed()) return;
        if (watch) source.resumeReads();
        else source.suspendReads();
    }

    @Override
    public void watchWrites(boolean watch) {
        if (watch == sink.isWriteResumed()) return;
        if (watch) sink.resumeWrites();
        else sink.suspendWrites();
    }
}
