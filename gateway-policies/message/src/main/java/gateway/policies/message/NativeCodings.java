package gateway.policies.message;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.github.luben.zstd.util.Native;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The native libraries of codings: each is loaded once by a process, by the first that needs it, and told once
/// where it does not load (another C library than glibc, another processor, a folder where nothing may be run).
final class NativeCodings {
    private static final Logger LOG = LoggerFactory.getLogger(NativeCodings.class);

    private NativeCodings() {}

    private static final class Brotli {
        static final boolean LOADED = loads("br is not made", Brotli4jLoader::ensureAvailability);
    }

    private static final class Zstd {
        static final boolean LOADED = loads("zstd is neither made nor undone", Native::load);
    }

    static boolean hasBrotli() {
        return Brotli.LOADED;
    }

    static boolean hasZstd() {
        return Zstd.LOADED;
    }

    private static boolean loads(String without, Runnable load) {
        try {
            load.run();
            return true;
        } catch (RuntimeException | LinkageError e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            LOG.warn("{} here, since its native library does not load: {}", without, reason.getMessage());
            return false;
        }
    }
}
