package gateway.app.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/// Times that a virtual thread held its carrier while it waited, as Java Flight Recorder tells them: of request threads
/// too, whose carrier is the IO thread of many other requests.
final class PinnedThreads implements AutoCloseable {
    private static final String EVENT = "jdk.VirtualThreadPinned";
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final Timer pinned;
    private final RecordingStream recording = new RecordingStream();

    PinnedThreads(MeterRegistry registry) {
        pinned = Timer.builder(MeterNames.PINNED)
                .description("virtual threads that held their carrier while they waited")
                .register(registry);
        recording.enable(EVENT).withThreshold(SHORTEST).withoutStackTrace();
        recording.setReuse(true);
        recording.setOrdered(false);
        recording.onEvent(EVENT, this::tell);
        recording.startAsync();
    }

    private void tell(RecordedEvent event) {
        pinned.record(event.getDuration());
    }

    @Override
    public void close() {
        recording.close();
    }
}
