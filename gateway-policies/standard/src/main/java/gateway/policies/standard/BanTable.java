package gateway.policies.standard;

import gateway.policy.Services;
import gateway.service.Bans;
import gateway.service.Refreshed;
import gateway.service.Served;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who is kept out by one policy. Requests ask this node's memory alone; once a second, and right after a ban, it takes
/// over what other nodes have written and adds what they do not know. While the store is away each node goes by its
/// own.
final class BanTable implements Bans, Served {
    /// Past it who is soonest let in again is.
    static final int MOST_ENTRIES = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(BanTable.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration LOOKS_APART = Duration.ofMillis(100);

    private final String policy;
    private final BanRule rule;
    private final SharedBans shared;
    private final InstantSource clock;
    private final RefusalCounts counts;
    private final ConcurrentHashMap<String, BanEntry> entries = new ConcurrentHashMap<>();
    private final Refreshed<Integer> looks;

    private BanTable(String policy, BanRule rule, Services services) {
        this.policy = policy;
        this.rule = rule;
        this.shared = new SharedBans(services.shortTerm(), policy);
        this.clock = services.clock();
        this.counts = new RefusalCounts(rule);
        this.looks = services.refresher().every("bans of " + policy, LOOK_EVERY, LOOKS_APART, this::look);
    }

    static BanTable of(String policy, BanRule rule, Services services) {
        return new BanTable(policy, rule, services);
    }

    /// The ban that keeps `subject` out now.
    Optional<BanEntry> standing(String subject, long now) {
        BanEntry entry = entries.get(subject);
        return entry != null && entry.holds(now) ? Optional.of(entry) : Optional.empty();
    }

    /// Milliseconds since the Unix epoch.
    long now() {
        return clock.millis();
    }

    /// An answer has refused `subject`.
    void refused(String subject, long now) {
        if (!counts.refused(subject, now)) return;
        BanEntry ban = entries.merge(subject, first(subject, now), (known, _) -> next(known, now));
        makeRoom(now);
        LOG.debug("{}: {} is kept out until {}", policy, subject, Instant.ofEpochMilli(ban.until()));
        looks.ask();
    }

    void answered(String subject) {
        counts.answered(subject);
    }

    private BanEntry first(String subject, long now) {
        return new BanEntry(subject, now, now + rule.length(1).toMillis(), 1);
    }

    /// Answers that were under way when it began make a ban no longer.
    private BanEntry next(BanEntry known, long now) {
        if (known.holds(now)) return known;
        if (known.isLifted() || now >= known.matters(rule.longest())) {
            BanEntry first = first(known.subject(), now);
            return new BanEntry(known.subject(), Math.max(now, known.decidedAt() + 1), first.until(), 1);
        }
        int times = known.times() + 1;
        long decided = Math.max(now, known.decidedAt() + 1);
        return new BanEntry(known.subject(), decided, now + rule.length(times).toMillis(), times);
    }

    private void makeRoom(long now) {
        while (entries.size() > MOST_ENTRIES) {
            entries.values().stream()
                    .min(Comparator.comparingLong((BanEntry entry) -> entry.holds(now) ? entry.until() : 0))
                    .ifPresent(entry -> entries.remove(entry.subject(), entry));
        }
    }

    /// Takes over what is shared, and shares what is not.
    private int look() {
        long now = now();
        Map<String, BanEntry> known = new HashMap<>();
        for (BanEntry entry : shared.read()) {
            if (now >= entry.matters(rule.longest())) continue;
            known.put(entry.subject(), entry);
            entries.merge(
                    entry.subject(), entry, (mine, theirs) -> mine.decidedAt() >= theirs.decidedAt() ? mine : theirs);
        }
        entries.values().removeIf(entry -> now >= entry.matters(rule.longest()));
        makeRoom(now);
        List<BanEntry> all = latestFirst();
        boolean news = all.stream().anyMatch(entry -> !entry.equals(known.get(entry.subject())));
        if (news) shared.write(all, longest(all, now));
        return all.size();
    }

    private List<BanEntry> latestFirst() {
        var all = new ArrayList<>(entries.values());
        all.sort(Comparator.comparingLong(BanEntry::until).reversed().thenComparing(BanEntry::subject));
        return all;
    }

    private Duration longest(List<BanEntry> all, long now) {
        long last = now;
        for (BanEntry entry : all) last = Math.max(last, entry.matters(rule.longest()));
        return Duration.ofMillis(last - now);
    }

    @Override
    public String policy() {
        return policy;
    }

    @Override
    public List<Ban> standing() {
        long now = now();
        return latestFirst().stream()
                .filter(entry -> entry.holds(now))
                .map(entry ->
                        new Ban(entry.subject(), entry.since(), Instant.ofEpochMilli(entry.until()), entry.times()))
                .toList();
    }

    @Override
    public boolean lift(String subject) {
        long now = now();
        BanEntry before = entries.get(subject);
        if (before == null || !before.holds(now)) return false;
        entries.put(subject, before.lifted(now));
        looks.ask();
        return true;
    }

    @Override
    public void served() {
        looks.served();
    }

    @Override
    public void retired() {
        looks.retired();
    }

    @Override
    public String toString() {
        return "bans of " + policy;
    }
}
