package gateway.app.traffic;

/// What became of the records so far. At any quiet moment
/// `accepted + recovered = indexed + spilled + rejected + dropped + underWay`.
///
/// @param accepted handed over by requests
/// @param recovered found on disk at the start
/// @param indexed acknowledged by Elasticsearch, or written by the other sinks
/// @param spilled on disk now
/// @param replayed of those indexed or rejected, how many came from the disk
/// @param rejected refused for good by Elasticsearch, parked with the reason
/// @param dropped lost: the queue was full, the spill over its bound or not writable
/// @param underWay in the queue, in a batch, or sent without an answer yet
/// @param spillBytes bytes on disk now
public record TrafficCounts(
        long accepted,
        long recovered,
        long indexed,
        long spilled,
        long replayed,
        long rejected,
        long dropped,
        long underWay,
        long spillBytes) {
    /// Whether every record is accounted for; only sure to hold while no record moves.
    public boolean isBalanced() {
        return accepted + recovered == indexed + spilled + rejected + dropped + underWay;
    }

    /// How it ended, in words.
    public String summary() {
        return indexed + " records written, " + spilled + " on disk, " + rejected + " rejected, " + dropped
                + " dropped";
    }
}
