package gateway.app.traffic;

import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Readings;
import java.util.function.ToLongFunction;

/// What became of the traffic log's records, read when somebody asks.
public record TrafficMetrics(TrafficShipper shipper, Readings readings) {
    public void tell() {
        count("accepted", TrafficCounts::accepted);
        count("recovered", TrafficCounts::recovered);
        count("indexed", TrafficCounts::indexed);
        count("replayed", TrafficCounts::replayed);
        count("rejected", TrafficCounts::rejected);
        count("dropped", TrafficCounts::dropped);
        gauge(MeterNames.TRAFFIC_SPILLED, "records on disk", TrafficCounts::spilled);
        gauge(MeterNames.TRAFFIC_SPILL_BYTES, "bytes of records on disk", TrafficCounts::spillBytes);
        gauge(MeterNames.TRAFFIC_UNDER_WAY, "records whose fate is open", TrafficCounts::underWay);
        readings.gauge(MeterNames.TRAFFIC_QUEUED, "records in the ring", shipper::queued);
        readings.gauge(MeterNames.TRAFFIC_QUEUE_CAPACITY, "records that the ring holds", shipper::queueCapacity);
        readings.gauge(
                MeterNames.TRAFFIC_SHIPPING,
                "1 while records reach what they are sent to",
                () -> shipper.state().condition() == TrafficState.Condition.SHIPPING ? 1 : 0);
    }

    private void count(String fate, ToLongFunction<TrafficCounts> value) {
        readings.counter(
                MeterNames.TRAFFIC_RECORDS,
                "records of the traffic log",
                () -> value.applyAsLong(shipper.counts()),
                MeterNames.FATE,
                fate);
    }

    private void gauge(String name, String description, ToLongFunction<TrafficCounts> value) {
        readings.gauge(name, description, () -> value.applyAsLong(shipper.counts()));
    }
}
