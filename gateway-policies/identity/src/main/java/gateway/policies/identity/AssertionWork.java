package gateway.policies.identity;

import gateway.service.Workers;
import java.util.concurrent.Callable;

/// Work on assertions, parsing and cryptography, done where it holds up no other request: their policy itself waits
/// for servers, as no worker should.
///
/// @param share whose work it is, an API's id
record AssertionWork(Workers workers, String share) {
    /// Throws what `work` throws.
    ///
    /// @throws gateway.service.WorkersBusyException when it was not begun
    <T> T on(Callable<T> work) {
        return workers.callBriefly(share, work);
    }
}
