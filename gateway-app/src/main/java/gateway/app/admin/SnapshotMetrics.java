package gateway.app.admin;

import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Readings;
import gateway.snapshot.LiveSnapshot;

/// What is served, read when somebody asks.
public record SnapshotMetrics(LiveSnapshot live, Readings readings) {
    public void tell() {
        readings.gauge(
                MeterNames.REVISION,
                "revision of the definitions that are served",
                () -> live.current().revision());
        readings.gauge(
                MeterNames.APIS,
                "APIs that are known",
                () -> live.current().apis().size());
        readings.gauge(
                MeterNames.APIS_LEFT_OUT,
                "problems of definitions that are left out",
                () -> live.current().problems().size());
    }
}
