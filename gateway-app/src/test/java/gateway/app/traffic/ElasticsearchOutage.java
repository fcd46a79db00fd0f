package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/// What clients saw before and in an outage of something that requests must not depend on.
final class ElasticsearchOutage {
    private static final int TIMES = 20;
    private static final Duration NOTICED = Duration.ofMillis(500); // less may be a busy machine

    private final HttpLoad load;
    private final long began;
    private final long broke;
    private long ended;

    private ElasticsearchOutage(HttpLoad load, long began, long broke) {
        this.load = load;
        this.began = began;
        this.broke = broke;
    }

    /// Watches the load for so many answers; the outage begins when this returns. The first third warms up.
    static ElasticsearchOutage before(HttpLoad load, long answers) {
        load.awaitMore(answers / 3);
        long began = System.nanoTime();
        load.awaitMore(answers - answers / 3);
        return new ElasticsearchOutage(load, began, System.nanoTime());
    }

    /// Waits for so many answers; the outage ends when this returns.
    void last(long answers) {
        load.awaitMore(answers);
        ended = System.nanoTime();
    }

    /// To be asked once the load has ended.
    void assertUnnoticed() {
        long most = Math.max(TIMES * p99Before().toNanos(), NOTICED.toNanos());
        assertThat(p99Meanwhile()).isLessThan(Duration.ofNanos(most));
    }

    private Duration p99Before() {
        return load.p99(began, broke);
    }

    private Duration p99Meanwhile() {
        return load.p99(broke, ended);
    }

    @Override
    public String toString() {
        return "p99 %.1f ms in %.1f s before, %.1f ms in the outage of %.1f s"
                .formatted(
                        p99Before().toNanos() / 1e6,
                        (broke - began) / 1e9,
                        p99Meanwhile().toNanos() / 1e6,
                        (ended - broke) / 1e9);
    }
}
