package gateway.app.traffic;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The threads of one client, and whether one of them has ended: then the client is of no use.
final class ClientThreads implements ThreadFactory {
    private static final Logger log = LoggerFactory.getLogger(ClientThreads.class);

    private volatile boolean closing;
    private volatile boolean ended;

    @Override
    public Thread newThread(Runnable work) {
        return Thread.ofPlatform().name("elasticsearch-client").daemon().unstarted(() -> run(work));
    }

    boolean haveEnded() {
        return ended;
    }

    /// From now on their end is wanted, whatever it looks like: their selector is closed below them.
    void close() {
        closing = true;
    }

    /// Takes what the client's own threads stumble over, of which it would write a stack trace.
    void failed(Exception failure) {
        tell("the Elasticsearch client has failed", failure);
    }

    /// What ended it is told by the thread's calls as well, as the reason of their failure, but for errors.
    private void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            tell("a thread of the Elasticsearch client has ended", e);
        } finally {
            ended = true;
        }
    }

    private void tell(String what, Throwable failure) {
        if (closing) log.debug(what, failure);
        else log.warn("{}: {}", what, failure.toString());
    }
}
