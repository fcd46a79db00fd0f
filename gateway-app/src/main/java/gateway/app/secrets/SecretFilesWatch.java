package gateway.app.secrets;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks now and then whether secret files in use have changed, and has those compiled anew that use them.
public final class SecretFilesWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFilesWatch.class);

    private final ProcessSecrets secrets;
    private final Runnable reload;
    private final Duration every;
    private final CountDownLatch closed = new CountDownLatch(1);

    private SecretFilesWatch(ProcessSecrets secrets, Runnable reload, Duration every) {
        this.secrets = secrets;
        this.reload = reload;
        this.every = every;
    }

    /// Watches until closed.
    ///
    /// @param reload throws when what is in the files cannot be used; then what was served is served still
    public static SecretFilesWatch start(ProcessSecrets secrets, Runnable reload, Duration every) {
        var watch = new SecretFilesWatch(secrets, reload, every);
        Thread.ofVirtual().name("secrets").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS)) check();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() {
        if (!secrets.filesChanged()) return;
        try {
            reload.run();
            LOG.info("secret files have changed and are in use");
        } catch (RuntimeException e) {
            LOG.error("secret files have changed, and those before them are used still: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
