package gateway.app.traffic;

import java.util.Arrays;
import java.util.function.Consumer;

/// `_bulk` calls on one data stream.
final class BulkCalls implements java.io.Closeable {
    private final Cluster cluster;
    private final String path;
    private final FastGzip gzip = new FastGzip();

    BulkCalls(Cluster cluster, String dataStream) {
        this.cluster = cluster;
        this.path = "/" + dataStream + "/_bulk?filter_path=" + BulkAnswer.FILTER;
    }

    /// Sends records `from` to before `to`; the answer comes on another thread.
    void send(Batch batch, int from, int to, Consumer<ClusterReply> answer) {
        int start = batch.start(from);
        int length = gzip.compress(batch.array(), start, batch.start(to) - start);
        cluster.bulk(path, Arrays.copyOf(gzip.array(), length), answer);
    }

    /// See [Cluster#tend].
    void tend() {
        cluster.tend();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
