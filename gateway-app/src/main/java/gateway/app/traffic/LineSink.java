package gateway.app.traffic;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes batches as lines. What cannot be written is dropped and counted; the next batch is tried again.
final class LineSink implements Sink {
    private static final Logger log = LoggerFactory.getLogger(LineSink.class);

    private final LineOutput output;
    private final SinkCounts tally;
    private final BatchPool pool;
    private volatile TrafficState state = new TrafficState(TrafficState.Condition.SHIPPING, "");

    LineSink(LineOutput output, SinkCounts tally, BatchPool pool) {
        this.output = output;
        this.tally = tally;
        this.pool = pool;
    }

    @Override
    public boolean take(Batch batch, boolean urgent, long nowNanos) {
        try {
            output.write(batch.array(), batch.end(), nowNanos);
            tally.addIndexed(batch.count());
            worked();
        } catch (IOException e) {
            tally.addDropped(batch.count());
            failed(e.toString());
        }
        pool.give(batch);
        return true;
    }

    @Override
    public boolean turn(long nowNanos) {
        try {
            output.turn(nowNanos);
        } catch (IOException e) {
            failed(e.toString());
        }
        return false;
    }

    @Override
    public TrafficState state() {
        return state;
    }

    @Override
    public void close() {
        try {
            output.close();
        } catch (IOException e) {
            log.warn("could not close the traffic log: {}", e.toString());
        }
    }

    private void worked() {
        if (state.condition() == TrafficState.Condition.SHIPPING) return;
        state = new TrafficState(TrafficState.Condition.SHIPPING, "");
        log.info("traffic records are written again");
    }

    private void failed(String reason) {
        if (state.condition() == TrafficState.Condition.AWAY) return;
        state = new TrafficState(TrafficState.Condition.AWAY, reason);
        log.error("traffic records are dropped, they cannot be written: {}", reason);
    }
}
