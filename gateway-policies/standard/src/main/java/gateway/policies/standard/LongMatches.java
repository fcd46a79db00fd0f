package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.service.Workers;
import java.util.function.Supplier;

/// Matching of paths against regular expressions: on a worker where it may take long, so that a long path holds up no
/// IO thread.
///
/// @param instructions of all the expressions
record LongMatches(Workers workers, long instructions) {
    /// Instructions times characters that the request's own thread matches: a millisecond or two at most.
    private static final long BRIEF = 50_000;

    /// The same for paths of a usual length, of which few expressions look at more than the begin.
    private static final long BRIEF_OF_USUAL = 300_000;

    private static final int USUAL = 256;
    private static final long LONG = 2_000_000; // what of it is no brief work

    /// @throws gateway.service.WorkersBusyException when it was not begun
    <T> T on(String path, Exchange exchange, Supplier<T> work) {
        long steps = instructions * path.length();
        if (steps <= (path.length() > USUAL ? BRIEF : BRIEF_OF_USUAL)) return work.get();
        return steps > LONG ? workers.call(exchange.api(), work::get) : workers.callBriefly(exchange.api(), work::get);
    }
}
