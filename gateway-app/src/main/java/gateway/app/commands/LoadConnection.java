package gateway.app.commands;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// A kept HTTP/1.1 connection with at most one request on it.
final class LoadConnection {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer request;
    private final AnswerReader answer;
    private long due;
    private long freeSince = System.nanoTime();
    private boolean busy;

    private LoadConnection(SocketChannel channel, SelectionKey key, ByteBuffer request, AnswerReader answer) {
        this.channel = channel;
        this.key = key;
        this.request = request;
        this.answer = answer;
        key.attach(this);
    }

    static LoadConnection open(InetSocketAddress address, Selector selector, ByteBuffer request, boolean bodiless)
            throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        return new LoadConnection(channel, key, request.duplicate(), new AnswerReader(bodiless));
    }

    /// @param when the moment at which this request should leave, as of [System#nanoTime]
    void send(long when) throws IOException {
        due = when;
        busy = true;
        request.rewind();
        write();
    }

    /// Does what the socket is ready for.
    ///
    /// @return whether the answer has come whole
    boolean proceed() throws IOException {
        if (key.isWritable()) write();
        return key.isReadable() && read();
    }

    /// It has its answer, and is free for the next request.
    void rest(long now) {
        busy = false;
        freeSince = now;
    }

    boolean isBusy() {
        return busy;
    }

    long freeSince() {
        return freeSince;
    }

    long due() {
        return due;
    }

    int status() {
        return answer.status();
    }

    boolean isKept() {
        return answer.isKept();
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            key.cancel(); // gone either way
        }
    }

    private void write() throws IOException {
        channel.write(request);
        int interest = request.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != interest) key.interestOps(interest);
    }

    private boolean read() throws IOException {
        int count = answer.readFrom(channel);
        if (count < 0) throw new EOFException("closed before the answer was whole");
        return answer.proceed();
    }
}
