package gateway.service;

import gateway.http.BodyTooLargeException;
import gateway.http.ContentCodings;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/// Whose thread undoes the codings of content: little of it the one that asks, which may be carried by an IO thread;
/// more, and what may become more before any of it can be counted, a worker, as brief work.
///
/// @param patience how long a worker is waited for at most, where the workers' own is no shorter
public record Unpacking(ContentCodings codings, Workers workers, Duration patience) {
    /// Bytes that the thread that asks works through, since a hand-over costs more than little of it.
    private static final int AT_ONCE = 64 * 1024;

    /// How much comes of packed content nobody knows before: the thread that asks begins, and where that is too much a
    /// worker does all of it. Content that is not packed is `undo`'s to read: by a worker, too, where it is much.
    ///
    /// @param share whose work it is
    /// @param fields the values of `Content-Encoding`
    /// @param most bytes that may come of it
    /// @param undo given how many may, makes something of it, or throws the [BodyTooLargeException]
    /// @throws WorkersBusyException when no worker has begun in time
    public <T> T undone(String share, List<String> fields, byte[] content, long most, LongFunction<T> undo) {
        boolean little = content.length <= AT_ONCE && !codings.runAhead(fields, content);
        if (little && (fields.isEmpty() || most <= AT_ONCE)) return undo.apply(most);
        if (little) {
            try {
                return undo.apply(AT_ONCE);
            } catch (BodyTooLargeException e) {
                // or as large as may be: the worker says which
            }
        }
        return workers.callBriefly(share, patience, () -> undo.apply(most));
    }
}
