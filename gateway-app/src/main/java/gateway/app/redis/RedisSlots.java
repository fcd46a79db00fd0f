package gateway.app.redis;

import gateway.service.DependencyException;
import gateway.service.SlotStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Slots in Redis: of each caller a sorted set of those that are taken, by the end of their leases in Redis' own time.
///
/// A node renews the leases of requests that take long. So what a node held that is gone, or could not tell Redis any
/// more, comes back when its lease ends. Slots have names of their own: one that is given twice is given once.
final class RedisSlots implements SlotStore {
    static final Duration LEASE = Duration.ofSeconds(15);
    static final long RENEW_SECONDS = 5; // a lease is met by the next turn, and renewed by those after it

    private static final Logger LOG = LoggerFactory.getLogger(RedisSlots.class);
    private static final Script TAKE = Script.of("slot-take");
    private static final Script GIVE = Script.of("slot-give");
    private static final Script RENEW = Script.of("slot-renew");
    private static final int RENEWED_TOGETHER = 200;

    private final RedisLink link;
    private final String namespace;
    private final String node = Long.toUnsignedString(new SecureRandom().nextLong(), 36) + '-';
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Long, LeasedSlot> held = new ConcurrentSkipListMap<>(); // IO threads take out

    RedisSlots(RedisLink link, String namespace) {
        this.link = link;
        this.namespace = namespace;
    }

    @Override
    public Optional<Slot> take(String counter, String subject, int most) {
        var slot =
                new LeasedSlot(this, Counters.key(namespace, subject, "slots:" + counter), numbers.incrementAndGet());
        var reply = new ScriptReply.Numbers();
        var arguments =
                Arguments.keys(slot.key()).add(most).add(LEASE.toMillis()).add(name(slot));
        Call call = link.begin(TAKE, arguments, reply, new Late(slot));
        if (link.answer(call, reply).at(0) == 0) return Optional.empty();
        held.put(slot.number(), slot);
        return Optional.of(slot);
    }

    /// Has Redis told that `slot` is free. Where that fails, its lease ends.
    void forget(LeasedSlot slot) {
        held.remove(slot.number());
        try {
            link.beginPatiently(GIVE, Arguments.keys(slot.key()).add(name(slot)), new ScriptReply.Numbers(), NOBODY);
        } catch (DependencyException e) {
            LOG.debug("a slot waits for the end of its lease", e);
        }
    }

    /// Renews the leases of slots that the turn before has met already.
    void renew() {
        Map<String, List<LeasedSlot>> old = new HashMap<>();
        for (LeasedSlot slot : held.values()) {
            if (slot.seenBefore())
                old.computeIfAbsent(slot.key(), _ -> new ArrayList<>()).add(slot);
        }
        old.forEach((key, slots) -> {
            for (int i = 0; i < slots.size(); i += RENEWED_TOGETHER)
                renew(key, slots.subList(i, Math.min(slots.size(), i + RENEWED_TOGETHER)));
        });
    }

    private void renew(String key, List<LeasedSlot> slots) {
        var arguments = Arguments.keys(key).add(LEASE.toMillis());
        for (LeasedSlot slot : slots) arguments.add(name(slot));
        try {
            link.beginPatiently(RENEW, arguments, new ScriptReply.Numbers(), new Renewing(slots));
        } catch (DependencyException e) {
            LOG.debug("leases are renewed when redis is there again", e);
        }
    }

    private String name(LeasedSlot slot) {
        return node + Long.toString(slot.number(), 36);
    }

    /// Slots of this node that are taken.
    int size() {
        return held.size();
    }

    private static final RedisLink.Follower NOBODY = new RedisLink.Follower() {};

    /// A slot that Redis gives when nobody waits for it any more goes back.
    private record Late(LeasedSlot slot) implements RedisLink.Follower {
        @Override
        public void settled(Call call, boolean answered) {
            if (answered && call.error() == null) slot.give();
        }
    }

    /// What was given back while its lease was being renewed is given back once more: Redis may have heard of it first.
    private record Renewing(List<LeasedSlot> slots) implements RedisLink.Follower {
        @Override
        public void ended(Call call) {
            for (LeasedSlot slot : slots) if (slot.isGiven()) slot.give();
        }

        @Override
        public void settled(Call call, boolean answered) {
            ended(call);
        }
    }
}
