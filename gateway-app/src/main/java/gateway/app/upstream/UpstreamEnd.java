package gateway.app.upstream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.Buffers;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;
import org.xnio.conduits.WriteReadyHandler;

/// The upstream's end of a tunnel: a connection that has answered `101`, with what came behind the answer.
final class UpstreamEnd implements TunnelEnd, ReadReadyHandler, WriteReadyHandler {
    private final UpstreamConnection connection;
    private final StreamSourceConduit source;
    private final StreamSinkConduit sink;
    private @Nullable Runnable readable;
    private @Nullable Runnable writable;
    private boolean finishing;

    UpstreamEnd(UpstreamConnection connection, StreamSourceConduit source, StreamSinkConduit sink) {
        this.connection = connection;
        this.source = source;
        this.sink = sink;
        source.suspendReads();
        sink.suspendWrites();
        source.setReadReadyHandler(this);
        sink.setWriteReadyHandler(this);
    }

    @Override
    public void attach(Runnable whenReadable, Runnable whenWritable) {
        readable = whenReadable;
        writable = whenWritable;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        ByteBuffer behind = connection.in();
        if (!behind.hasRemaining()) return source.read(into);
        int count = Buffers.copy(into, behind);
        if (!behind.hasRemaining()) connection.freeBuffer();
        return count;
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

    @Override
    public void readReady() {
        if (readable != null) readable.run();
    }

    @Override
    public void writeReady() {
        if (writable != null) writable.run();
    }

    @Override
    public void forceTermination() {
        connection.forceTermination();
    }

    @Override
    public void terminated() {}
}
