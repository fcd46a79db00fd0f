package gateway.app.redis;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// What nodes tell each other by way of Redis, each text under the next number: the last ones are there for whoever has
/// not heard of them. A message tells that there is one; as it can be lost, [#hear] is called a few times a second.
/// Each bears a mark of its own: a Redis that has lost the last ones, as when a replica takes over, tells others under
/// their numbers.
final class ToldTexts {
    private static final Script ADD = Script.of("told-add");
    private static final Script SINCE = Script.of("told-since");
    private static final int MOST_AT_ONCE = 1000;
    private static final long NOTHING_KNOWN = -1;
    private static final String UNKNOWN = "?";
    private static final String SAME = "1";
    private static final String ANOTHER = "0";
    private static final int FIRST = 3; // of the texts in an answer

    private final RedisLink link;
    private final String prefix;
    private final int most;
    private final String node = UUID.randomUUID().toString();
    private final AtomicLong marks = new AtomicLong();
    private final ReentrantLock hearing = new ReentrantLock(); // one number after the other; nobody on a request's path
    private volatile long number; // of the last one heard
    private String heard; // what it was told as; another than any when that is not known

    /// Who hears, one call at a time.
    interface Hearer {
        /// The next text.
        ///
        /// @param mine whether this node has told it
        void heard(String text, boolean mine);

        /// Nobody knows what was told up to `number`.
        void missed(long number);

        /// Redis has lost something that was told: whatever it was, all nodes have to be told of it. [#missed] follows.
        void lost();
    }

    private ToldTexts(RedisLink link, String prefix, int most) {
        this.link = link;
        this.prefix = prefix;
        this.most = most;
        this.heard = UNKNOWN;
        begin();
    }

    /// @param prefix of its keys, in one slot of a cluster
    /// @param most texts that are remembered
    /// @throws gateway.service.DependencyException when Redis does not answer
    static ToldTexts open(RedisLink link, String prefix, int most) {
        return new ToldTexts(link, prefix, most);
    }

    private void begin() {
        ScriptReply.Texts now = since(NOTHING_KNOWN);
        number = Long.parseLong(now.at(0));
        heard = now.at(1);
    }

    /// Where each is told by its number.
    String channel() {
        return prefix + "told";
    }

    /// Of the last one that was heard.
    long number() {
        return number;
    }

    /// @throws gateway.service.DependencyException when Redis does not answer; whether it is told is open then
    void tell(String text) {
        link.askPatiently(ADD, telling(text), new ScriptReply.Numbers());
    }

    /// The same without waiting.
    ///
    /// @throws gateway.service.DependencyException when Redis is known to be away
    void beginTelling(String text, RedisLink.Follower follower) {
        link.beginPatiently(ADD, telling(text), new ScriptReply.Numbers(), follower);
    }

    private Arguments telling(String text) {
        return keys().add(text).add(channel()).add(most).add(node + '.' + marks.incrementAndGet());
    }

    /// Hears of what has been told since the last time.
    ///
    /// @throws gateway.service.DependencyException when Redis does not answer
    void hear(Hearer hearer) {
        hearing.lock();
        try {
            boolean isMore = true;
            while (isMore) isMore = hearSome(hearer);
        } finally {
            hearing.unlock();
        }
    }

    /// Whether there may be more.
    private boolean hearSome(Hearer hearer) {
        ScriptReply.Texts answer = since(number);
        switch (heard.equals(UNKNOWN) ? ANOTHER : answer.at(2)) {
            case SAME -> {
                for (int i = FIRST; i < answer.size(); i++) hear(answer.at(i), hearer);
            }
            case ANOTHER -> beginAnew(Long.parseLong(answer.at(0)), hearer);
            default -> {
                number = Long.parseLong(answer.at(0));
                heard = answer.at(1);
                hearer.missed(number);
            }
        }
        return answer.size() - FIRST == MOST_AT_ONCE;
    }

    private void hear(String told, Hearer hearer) {
        int space = told.indexOf(' ');
        long next = number + 1; // one at a time, under the lock
        number = next;
        heard = told.substring(0, Math.max(0, space));
        hearer.heard(told.substring(space + 1), told.startsWith(node, told.indexOf('-') + 1));
    }

    /// As often as it takes until the others are told.
    private void beginAnew(long now, Hearer hearer) {
        number = now;
        heard = UNKNOWN;
        try {
            hearer.lost();
            begin();
        } finally {
            hearer.missed(number);
        }
    }

    private ScriptReply.Texts since(long known) {
        return link.askPatiently(SINCE, keys().add(known).add(heard).add(MOST_AT_ONCE), new ScriptReply.Texts());
    }

    private Arguments keys() {
        return Arguments.keys(prefix + "number", prefix + "last");
    }
}
