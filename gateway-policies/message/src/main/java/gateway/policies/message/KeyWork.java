package gateway.policies.message;

import gateway.service.Workers;
import java.util.concurrent.Callable;

/// Cryptography on messages, done where it holds up no other request.
///
/// @param share whose work it is, such as an API's id
public record KeyWork(Workers workers, String share) {
    /// Bytes whose digest takes no longer than a hand-over.
    private static final int SMALL = 16 << 10;

    /// Bytes from which on it is long work, of which fewer pieces may wait.
    private static final int LARGE = 1 << 20;

    /// @param slow whether it takes far more than 100 µs whatever it is done to
    /// @param bytes that it is done to
    public <T> T on(boolean slow, long bytes, Callable<T> work) {
        if (bytes > LARGE) return workers.call(share, work);
        if (slow || bytes > SMALL) return workers.callBriefly(share, work);
        try {
            return work.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cryptography throws no checked exception", e);
        }
    }
}
