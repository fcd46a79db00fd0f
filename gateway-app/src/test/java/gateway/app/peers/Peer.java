package gateway.app.peers;

/// Something that a test has started and ends.
interface Peer extends AutoCloseable {
    @Override
    void close();
}
