package gateway.policies.standard;

import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// How often each was refused of late, on this node. Each window begins with a refusal, so that those who are never
/// refused take no room; past the most subjects, who was refused least recently goes, so that made-up addresses push
/// out each other.
final class RefusalCounts {
    static final int MOST_SUBJECTS = 10_000;

    private final BanRule rule;
    private final ReentrantLock lock = new ReentrantLock(); // held for a few instructions
    private final LinkedHashMap<String, Window> windows = new LinkedHashMap<>();

    private static final class Window {
        private final long begunAt;
        private int refused;
        private int requests;

        Window(long begunAt) {
            this.begunAt = begunAt;
        }
    }

    RefusalCounts(BanRule rule) {
        this.rule = rule;
    }

    /// One more refusal.
    ///
    /// @param now milliseconds since the Unix epoch
    /// @return whether it is one too many; counting begins anew then
    boolean refused(String subject, long now) {
        lock.lock();
        try {
            Window window = windows.remove(subject);
            if (window == null || isOver(window, now)) window = new Window(now);
            window.refused++;
            window.requests++;
            if (rule.isMet(window.refused, window.requests)) return true;
            windows.put(subject, window); // the last from now on
            if (windows.size() > MOST_SUBJECTS) windows.pollFirstEntry();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// One more answer that does not count against `subject`, where a share is asked for.
    void answered(String subject) {
        if (!rule.share()) return;
        lock.lock();
        try {
            Window window = windows.get(subject);
            if (window != null) window.requests++;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(Window window, long now) {
        return now - window.begunAt >= rule.per().toMillis();
    }

    int size() {
        lock.lock();
        try {
            return windows.size();
        } finally {
            lock.unlock();
        }
    }
}
