package gateway.app.entries;

import gateway.app.log.Pace;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.service.CachePurge;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.DependencyException;
import gateway.service.EntryName;
import gateway.service.EntryStore;
import gateway.service.Purges;
import gateway.service.ServerCalls;
import gateway.service.TextDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shared entries in the cache component, asked by HTTP. Which groups were forgotten nodes tell each other by way of
/// their store, as they do without it.
public final class ComponentEntryStore implements EntryStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ComponentEntryStore.class);
    private static final String COMPONENT = "cache component";
    private static final String STATE = "Cache-State";
    private static final CallBounds UNHURRIED = new CallBounds(Duration.ofSeconds(2), 16 << 10);
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final int MOST_WRITES = 64; // under way
    private static final int MOST_BYTES_UNDER_WAY = 4 << 20;
    private static final int MOST_DEBTS = 100; // paid in one go
    private static final long REFRESH_MILLIS = 500;

    /// A group's that nobody knows: nothing is kept in it.
    private static final String UNKNOWN = "?";

    private final List<ServerCalls> members;
    private final String authorization;
    private final String prefix;
    private final CallBounds hurried;
    private final EntryStore told;
    private final Purges purges;
    private final OwedGroups owed = new OwedGroups(); // which the component has not forgotten
    private final Semaphore writes = new Semaphore(MOST_WRITES);
    private final AtomicInteger underWay = new AtomicInteger(); // bytes
    private final Pace pace = Pace.ofOneASecond();
    private final ExecutorService writers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("cache-component-", 0).factory());
    private final ScheduledExecutorService forgetting = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cache-component").factory());

    private ComponentEntryStore(
            List<ServerCalls> members, ComponentTerms terms, String namespace, EntryStore told, Purges purges) {
        this.members = List.copyOf(members);
        this.authorization = "Bearer " + terms.token().reveal();
        this.prefix = "/cache/" + namespace + '.';
        this.hurried = new CallBounds(terms.deadline(), MOST_BYTES);
        this.told = told;
        this.purges = purges;
        var _ = forgetting.scheduleWithFixedDelay(this::refresh, REFRESH_MILLIS, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// @param members in the order of `terms`
    /// @param namespace apart from other installations that share the component; of letters, digits, `-` and `_`
    /// @param told by which nodes tell each other what was forgotten
    public static ComponentEntryStore open(
            List<ServerCalls> members, ComponentTerms terms, String namespace, EntryStore told, Purges purges) {
        return new ComponentEntryStore(members, terms, namespace, told, purges);
    }

    @Override
    public Found find(EntryName name) {
        if (owed.contains(name.group())) return new Found(UNKNOWN, Optional.empty());
        CallAnswer answer = ask(name.group(), CallRequest.get(path(name)), hurried);
        Optional<String> state = answer.headers().first(STATE);
        boolean isFound = answer.status() == 200;
        if (state.isEmpty() || (!isFound && answer.status() != 404)) throw refused(answer);
        return new Found(state.get(), isFound ? Optional.of(answer.bytes()) : Optional.empty());
    }

    @Override
    public void keep(EntryName name, String state, byte[] entry, Duration keep) {
        if (state.equals(UNKNOWN) || entry.length > MOST_BYTES || !writes.tryAcquire()) return;
        if (underWay.addAndGet(entry.length) > MOST_BYTES_UNDER_WAY || !isBegun(() -> put(name, state, entry, keep)))
            over(entry);
    }

    private boolean isBegun(Runnable write) {
        try {
            writers.execute(write);
            return true;
        } catch (RejectedExecutionException e) { // closing
            return false;
        }
    }

    private void put(EntryName name, String state, byte[] entry, Duration keep) {
        long seconds = Math.clamp(keep.toSeconds(), 1, LONGEST.toSeconds());
        CallRequest request = request("PUT", path(name), entry)
                .with("Content-Type", "application/octet-stream")
                .with("Cache-Control", "max-age=" + seconds)
                .with(STATE, state);
        try {
            CallAnswer answer = ask(name.group(), request, UNHURRIED);
            boolean isUsual = answer.status() == 204 || answer.status() == 412 || answer.status() == 429;
            if (!isUsual) throw refused(answer);
        } catch (DependencyException e) {
            LOG.debug("an entry stays with this node", e); // the breaker has said that the component is away
        } finally {
            over(entry);
        }
    }

    /// Whether nothing of what was to be kept is still on its way.
    boolean isIdle() {
        return underWay.get() == 0;
    }

    private void over(byte[] entry) {
        underWay.addAndGet(-entry.length);
        writes.release();
    }

    @Override
    public void forget(String group) {
        owed.add(group); // from now on this node finds nothing of it
        told.forget(group);
        try {
            forgetting.execute(this::refresh);
        } catch (RejectedExecutionException e) {
            LOG.debug("closing", e);
        }
    }

    private void refresh() {
        try {
            payDebts();
        } catch (DependencyException e) {
            LOG.debug("owed to the cache component", e);
        } catch (RuntimeException e) { // must not end the refreshing
            LOG.error("while the cache component is told what to forget", e);
        }
    }

    private void payDebts() {
        long all = owed.all();
        if (all != 0) {
            purges.tell(CachePurge.ALL);
            owed.settleAll(all);
        }
        for (Map.Entry<String, Long> each : owed.some(MOST_DEBTS)) {
            String group = each.getKey();
            CallAnswer answer = ask(group, request("DELETE", groupPath(group), new byte[0]), UNHURRIED);
            if (answer.status() != 204) throw refused(answer);
            told.forget(group); // again: who was told before may have found it here once more meanwhile
            owed.settle(group, each.getValue());
        }
    }

    @Override
    public AutoCloseable watch(Consumer<String> forgotten, Runnable missed) {
        return told.watch(forgotten, missed);
    }

    /// The same member for the same group, the next one while that is known to be away.
    private CallAnswer ask(String group, CallRequest request, CallBounds bounds) {
        request.with("Authorization", authorization);
        int first = Math.floorMod(group.hashCode(), members.size());
        for (int i = 0; i < members.size() - 1; i++) {
            try {
                return members.get((first + i) % members.size()).send(request, bounds, null);
            } catch (DependencyException e) {
                if (!e.reason().equals("breaker-open")) throw e;
            }
        }
        return members.get((first + members.size() - 1) % members.size()).send(request, bounds, null);
    }

    private static CallRequest request(String method, String path, byte[] content) {
        return new CallRequest(method, path, Headers.create(), Body.of(content));
    }

    /// A token that is none, or whatever else is not to be had by asking again, is for the operator to know.
    private DependencyException refused(CallAnswer answer) {
        String message = "answers " + answer.status();
        if (answer.status() < 500 && pace.enter(COMPONENT) != Pace.SUPPRESSED)
            LOG.warn("the {} {}; nothing is shared by way of it", COMPONENT, message);
        return new DependencyException(COMPONENT, message);
    }

    private String path(EntryName name) {
        return groupPath(name.group()) + '/' + TextDigest.of(name.name());
    }

    private String groupPath(String group) {
        return prefix + TextDigest.of(group);
    }

    @Override
    public void close() {
        forgetting.shutdownNow();
        writers.shutdownNow();
    }
}
