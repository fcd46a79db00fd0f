package gateway.wire.tunnel;

import java.io.IOException;
import java.nio.ByteBuffer;

/// One end of a tunnel: a connection whose bytes are passed on as they come, since they are no longer HTTP. Used on its
/// IO thread alone. Whoever made the connection closes it.
public interface TunnelEnd {
    /// Whom to tell from now on that reads or writes may get on; until then nothing is watched.
    void attach(Runnable readable, Runnable writable);

    /// So many bytes, 0 when none are there, -1 at the end.
    int read(ByteBuffer into) throws IOException;

    int write(ByteBuffer from) throws IOException;

    /// Says to the peer that nothing more will come; answers whether that and all before it has left.
    boolean finish() throws IOException;

    void watchReads(boolean watch);

    void watchWrites(boolean watch);
}
