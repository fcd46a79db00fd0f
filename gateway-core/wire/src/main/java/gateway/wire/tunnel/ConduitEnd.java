package gateway.wire.tunnel;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;

/// One end of a tunnel on the conduits of a connection, or of one stream of a connection.
public final class ConduitEnd implements TunnelEnd {
    private final ConduitStreamSourceChannel readable;
    private final ConduitStreamSinkChannel writable;
    private final StreamSourceConduit source;
    private final StreamSinkConduit sink;
    private final Reading reading;
    private boolean finishing;

    /// Reads once, as [TunnelEnd#read] says.
    @FunctionalInterface
    public interface Reading {
        int read(ByteBuffer into) throws IOException;
    }

    /// @param readable told of by its read listener, as `writable` is by its write listener
    /// @param source what to suspend and to resume; it may lie below the conduit of `readable`
    /// @param reading reads from `source`, and before that what is known to have come already
    public ConduitEnd(
            ConduitStreamSourceChannel readable,
            ConduitStreamSinkChannel writable,
            StreamSourceConduit source,
            Reading reading) {
        this.readable = readable;
        this.writable = writable;
        this.source = source;
        this.sink = writable.getConduit();
        this.reading = reading;
    }

    @Override
    public void attach(Runnable whenReadable, Runnable whenWritable) {
        readable.setReadListener(_ -> whenReadable.run());
        writable.setWriteListener(_ -> whenWritable.run());
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return reading.read(into);
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
