package gateway.app.secrets;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks now and then whether secret files in use have changed, and has those compiled anew that use them, until that
/// succeeds.
public final class SecretFilesWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFilesWatch.class);

    private final ProcessSecrets secrets;
    private final Supplier<Collection<String>> used;
    private final Runnable recompile;
    private final Duration every;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Map<String, String> applied = Map.of();
    private Map<String, String> failed = Map.of();

    private SecretFilesWatch(
            ProcessSecrets secrets, Supplier<Collection<String>> used, Runnable recompile, Duration every) {
        this.secrets = secrets;
        this.used = used;
        this.recompile = recompile;
        this.every = every;
    }

    /// Watches until closed.
    ///
    /// @param used names of the files that definitions name, served or left out
    /// @param recompile throws when what is in the files cannot be used; then what was served is served still
    public static SecretFilesWatch start(
            ProcessSecrets secrets, Supplier<Collection<String>> used, Runnable recompile, Duration every) {
        var watch = new SecretFilesWatch(secrets, used, recompile, every);
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

    /// A name that is new here was read when it was compiled: what it looks like is noted by compiling once more, which
    /// takes over everything that is the same.
    private void check() {
        Map<String, String> now = secrets.stamps(used.get());
        if (now.equals(applied)) return;
        boolean changed = applied.entrySet().stream()
                .anyMatch(each -> !each.getValue().equals(now.getOrDefault(each.getKey(), each.getValue())));
        try {
            recompile.run();
            if (changed) LOG.info("secret files have changed and are in use");
            applied = now;
            failed = Map.of();
        } catch (RuntimeException e) {
            if (now.equals(failed)) return; // told already, and tried again
            failed = now;
            LOG.error("secret files have changed, and those before them are used still: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
