package gateway.wire.tls;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks now and then whether the files of a TLS listener have changed and has them read again; tells when a
/// certificate is about to expire.
public final class CertificateWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);
    private static final Duration SOON = Duration.ofDays(21);
    private static final Duration TOLD_AGAIN = Duration.ofDays(1);

    private final ServerTls tls;
    private final Duration every;
    private final InstantSource clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private FileStamps seen;
    private Instant tellAgain = Instant.MIN;

    CertificateWatch(ServerTls tls, Duration every, InstantSource clock) {
        this.tls = tls;
        this.every = every;
        this.clock = clock;
        this.seen = tls.stamps();
    }

    /// Watches until closed.
    public static CertificateWatch start(ServerTls tls, Duration every, InstantSource clock) {
        var watch = new CertificateWatch(tls, every, clock);
        Thread.ofVirtual().name("certificates").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            do check();
            while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Reads the files again if they have changed since they were last looked at. Wrong ones are told of once, and what
    /// was presented before is presented still.
    void check() {
        FileStamps now = tls.stamps();
        if (!now.equals(seen)) {
            seen = now;
            reload();
        }
        if (clock.instant().isAfter(tellAgain)) tellExpiry();
    }

    private void reload() {
        try {
            tls.reload();
            tellAgain = Instant.MIN;
            LOG.info("certificates read again: {}", tls.identities());
        } catch (TlsFilesException e) {
            LOG.error("certificates stay as they were: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("certificates stay as they were", e);
        }
    }

    private void tellExpiry() {
        Instant now = clock.instant();
        tellAgain = now.plus(TOLD_AGAIN);
        for (Identity identity : tls.identities()) {
            if (now.plus(SOON).isAfter(identity.expires())) {
                LOG.warn("certificate {} expires at {}", identity, identity.expires());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
