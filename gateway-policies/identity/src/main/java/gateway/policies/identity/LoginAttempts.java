package gateway.policies.identity;

import gateway.http.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// The logins of one browser: a few at once, each in a cookie of its own, and when the last ones were finished.
record LoginAttempts(SealedText seal) {
    private static final Duration SHORT = Duration.ofMinutes(1);
    private static final int MOST_FINISHED = 3; // in so short a time

    /// One that an answer belongs to, and the cookie that holds it.
    record Found(LoginAttempt attempt, String cookie) {}

    /// The line of `Set-Cookie` that keeps one more. Where there are as many as there may be the oldest goes.
    String kept(LoginAttempt attempt, Exchange exchange, GatewayCookies cookies) {
        return cookies.keptFor(place(exchange, cookies), attempt.sealed(seal), LoginAttempt.LONGEST);
    }

    private String place(Exchange exchange, GatewayCookies cookies) {
        var free = new ArrayList<String>();
        String oldest = cookies.logins().getFirst();
        long begun = Long.MAX_VALUE;
        for (String name : cookies.logins()) {
            Optional<LoginAttempt> there = exchange.cookie(name).flatMap(envelope -> LoginAttempt.open(envelope, seal));
            if (there.isEmpty()) free.add(name);
            else if (there.get().begun() < begun) {
                begun = there.get().begun();
                oldest = name;
            }
        }
        // Tabs that open at once do not know of one another: chance parts most of them.
        return free.isEmpty() ? oldest : free.get(ThreadLocalRandom.current().nextInt(free.size()));
    }

    /// The one with this state.
    Optional<Found> find(String state, Exchange exchange, GatewayCookies cookies, long now) {
        if (!RandomText.isOne(state)) return Optional.empty();
        for (String name : cookies.logins()) {
            Optional<LoginAttempt> there = exchange.cookie(name).flatMap(envelope -> LoginAttempt.open(envelope, seal));
            if (there.isPresent() && IdTokens.isSame(there.get().state(), state)) {
                return there.get().isOver(now) ? Optional.empty() : Optional.of(new Found(there.get(), name));
            }
        }
        return Optional.empty();
    }

    /// The line that notes one more that was finished.
    String finished(Exchange exchange, GatewayCookies cookies, long now) {
        List<String> times = recent(exchange, cookies, now);
        var last = new ArrayList<>(times.subList(Math.max(0, times.size() - MOST_FINISHED + 1), times.size()));
        last.add(String.valueOf(now / 1_000));
        return cookies.keptFor(cookies.finished(), String.join(".", last), SHORT);
    }

    /// Whether logins were finished again and again and no session came of it: the browser does not keep it.
    boolean isInLoop(Exchange exchange, GatewayCookies cookies, long now) {
        return recent(exchange, cookies, now).size() >= MOST_FINISHED;
    }

    /// Whoever writes other times into the cookie of his own browser keeps nobody else from logging in.
    private static List<String> recent(Exchange exchange, GatewayCookies cookies, long now) {
        String text = exchange.cookie(cookies.finished()).orElse("");
        if (!text.matches("[0-9]{1,12}(\\.[0-9]{1,12}){0,9}")) return List.of();
        long since = now / 1_000 - SHORT.toSeconds();
        return List.of(text.split("\\.", -1)).stream()
                .filter(time -> Long.parseLong(time) > since)
                .toList();
    }
}
