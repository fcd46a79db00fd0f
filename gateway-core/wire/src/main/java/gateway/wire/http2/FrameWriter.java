package gateway.wire.http2;

import io.undertow.util.HeaderMap;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/// Appends the gateway's frames to what is sent, soon; nothing when the connection has ended.
public final class FrameWriter {
    private final Output output;
    private final BooleanSupplier open;
    private final Runnable flushSoon;
    private final FieldEncoder encoder = new FieldEncoder();

    public FrameWriter(Output output, BooleanSupplier open, Runnable flushSoon) {
        this.output = output;
        this.open = open;
        this.flushSoon = flushSoon;
    }

    private boolean begin(int type, int flags, int stream, int length) {
        if (!open.getAsBoolean()) return false;
        output.begin(type, flags, stream, length);
        flushSoon.run();
        return true;
    }

    /// @param settings their numbers, each followed by its value
    public void settings(int... settings) {
        if (!begin(Frame.SETTINGS, 0, 0, settings.length / 2 * Frame.SETTING_BYTES)) return;
        for (int i = 0; i < settings.length; i += 2) output.put(settings[i], settings[i + 1]);
    }

    public void acknowledgeSettings() {
        begin(Frame.SETTINGS, Frame.ACK, 0, 0);
    }

    /// The peer wants a table of at most `bytes` for field sections.
    public void tableSize(int bytes) {
        encoder.tableSize(bytes);
    }

    public void pong(ByteBuffer ping) {
        if (begin(Frame.PING, Frame.ACK, 0, ping.remaining())) output.put(ping, ping.remaining());
    }

    public void ping(long data) {
        if (begin(Frame.PING, 0, 0, 8)) output.put((int) (data >>> 32)).put((int) data);
    }

    public void windowUpdate(int stream, int bytes) {
        if (begin(Frame.WINDOW_UPDATE, 0, stream, 4)) output.put(bytes);
    }

    public void reset(int stream, ErrorCode why) {
        if (begin(Frame.RST_STREAM, 0, stream, 4)) output.put(why.number());
    }

    public void goAway(int lastStream, ErrorCode why) {
        if (begin(Frame.GOAWAY, 0, 0, 8)) output.put(lastStream).put(why.number());
    }

    public void head(int stream, HeaderMap fields, boolean last) {
        if (!open.getAsBoolean()) return;
        encoder.write(output, stream, fields, last);
        flushSoon.run();
    }

    /// The head of a response.
    public void head(int stream, int status, HeaderMap fields, boolean last) {
        if (!open.getAsBoolean()) return;
        encoder.write(output, stream, status, fields, last);
        flushSoon.run();
    }

    /// `count` bytes of content, which the peer's windows allow.
    public void content(int stream, ByteBuffer content, int count) {
        if (begin(Frame.DATA, 0, stream, count)) output.put(content, count);
    }

    /// No more content follows.
    public void endContent(int stream) {
        if (open.getAsBoolean() && !output.endLast(stream)) begin(Frame.DATA, Frame.END_STREAM, stream, 0);
    }
}
