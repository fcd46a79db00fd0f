package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.DependencyException;
import gateway.service.Permit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Decides charges on the shared counters, one script call a subject.
///
/// Charges of one subject are atomic: all or none. Those of several subjects may live on several nodes of a
/// cluster, so each subject decides for itself, all in one round trip; what was granted is given back when
/// another subject refused. Between the two a competing request may be refused that could just have been
/// granted; none is granted too much.
final class ExactCounting {
    private static final Script ACQUIRE = Script.of("limit-rules", "acquire");
    private static final Script LEASE = Script.of("limit-rules", "lease");
    private static final Script GIVE_BACK = Script.of("limit-rules", "giveback");
    private static final int NUMBERS = 4; // a permit's part of an answer
    private static final int MOST_CORRECTIONS = 3;

    private final RedisLink link;
    private final Counters counters;

    ExactCounting(RedisLink link, Counters counters) {
        this.link = link;
        this.counters = counters;
    }

    /// @throws DependencyException when Redis does not answer
    List<Permit> decide(List<Charge> charges, boolean spend) {
        if (ofOneSubject(charges)) return permits(charges, ask(charges, spend));
        return decideApart(charges, spend);
    }

    /// As [#decide] of one subject without spending, with the patience of the background.
    ///
    /// @throws DependencyException when Redis does not answer
    void look(List<Charge> charges) {
        link.askPatiently(ACQUIRE, arguments(charges, false), new Reply.Numbers());
    }

    /// Takes up to `want` requests of one counter, for [Lease] to spend. The answer is that of `lease.lua`.
    ///
    /// @throws DependencyException when Redis is known to be away
    void lease(Charge charge, long want, Reply.Numbers reply, Consumer<Call> then) {
        var arguments = Arguments.keys(counters.key(charge));
        counters.addTime(arguments);
        arguments.add(want);
        counters.addRule(arguments, charge.rule());
        link.begin(LEASE, arguments, reply, then);
    }

    /// Redis' clock, told instead of an answer when it is in another calendar period than this node thought.
    void correct(long redisMicros) {
        counters.periods().correct(redisMicros);
    }

    /// Gives one request back to each of `charges`, without waiting.
    void giveBack(List<Charge> charges) {
        for (Charge charge : charges) giveBack(charge, 1, "", _ -> {});
    }

    /// @param window the start of the window they were taken in; empty for the present one
    void giveBack(Charge charge, long amount, String window, Consumer<Call> then) {
        var arguments = Arguments.keys(counters.key(charge));
        counters.addTime(arguments);
        arguments.add(amount);
        counters.addRule(arguments, charge.rule());
        link.begin(GIVE_BACK, arguments.add(window), new Reply.Numbers(), then);
    }

    private Reply.Numbers ask(List<Charge> charges, boolean spend) {
        var reply = new Reply.Numbers();
        return settled(charges, spend, link.begin(ACQUIRE, arguments(charges, spend), reply), reply);
    }

    /// The answer to `call`, asked again when Redis is in another calendar period than this node thought.
    private Reply.Numbers settled(List<Charge> charges, boolean spend, Call call, Reply.Numbers first) {
        Reply.Numbers reply = link.answer(call, first);
        for (int i = 0; reply.size() < NUMBERS; i++) {
            if (i == MOST_CORRECTIONS) throw new DependencyException(RedisLink.DEPENDENCY, "clocks do not agree");
            counters.periods().correct(reply.at(0));
            reply = link.ask(ACQUIRE, arguments(charges, spend), new Reply.Numbers());
        }
        return reply;
    }

    private Arguments arguments(List<Charge> charges, boolean spend) {
        String[] keys = new String[charges.size()];
        for (int i = 0; i < keys.length; i++) keys[i] = counters.key(charges.get(i));
        var arguments = Arguments.keys(keys);
        counters.addTime(arguments);
        arguments.add(spend ? 1 : 0);
        for (int i = 0; i < keys.length; i++)
            counters.addRule(arguments, charges.get(i).rule());
        return arguments;
    }

    private List<Permit> decideApart(List<Charge> charges, boolean spend) {
        Map<String, List<Charge>> subjects = new LinkedHashMap<>();
        for (Charge charge : charges)
            subjects.computeIfAbsent(charge.subject(), s -> new ArrayList<>()).add(charge);
        var parts = new ArrayList<Part>();
        var granted = new ArrayList<Charge>();
        Map<Charge, Permit> found = new LinkedHashMap<>();
        try {
            for (var part : subjects.values()) parts.add(begin(part, spend));
            for (var part : parts) found.putAll(part.settle(this, spend, granted));
        } catch (DependencyException e) {
            if (spend) giveBack(granted);
            throw e;
        }
        if (spend && granted.size() < charges.size()) giveBack(granted);
        return charges.stream().map(found::get).toList();
    }

    private Part begin(List<Charge> charges, boolean spend) {
        var reply = new Reply.Numbers();
        return new Part(charges, link.begin(ACQUIRE, arguments(charges, spend), reply), reply);
    }

    private static boolean ofOneSubject(List<Charge> charges) {
        String subject = charges.getFirst().subject();
        for (int i = 1; i < charges.size(); i++) {
            if (!charges.get(i).subject().equals(subject)) return false;
        }
        return true;
    }

    private static List<Permit> permits(List<Charge> charges, Reply.Numbers reply) {
        Permit[] permits = new Permit[charges.size()];
        for (int i = 0; i < permits.length; i++) {
            int at = i * NUMBERS;
            long limit = Counters.limit(charges.get(i).rule());
            long reset = reply.at(at + 2) * 1_000;
            permits[i] = reply.at(at) == 1
                    ? new Permit.Granted(limit, reply.at(at + 1), reset)
                    : new Permit.Denied(limit, reply.at(at + 1), reset, reply.at(at + 3) * 1_000);
        }
        return List.of(permits);
    }

    /// The charges of one subject, under way.
    private record Part(List<Charge> charges, Call call, Reply.Numbers reply) {
        Map<Charge, Permit> settle(ExactCounting counting, boolean spend, List<Charge> granted) {
            var permits = permits(charges, counting.settled(charges, spend, call, reply));
            if (permits.stream().allMatch(Permit.Granted.class::isInstance)) granted.addAll(charges);
            Map<Charge, Permit> found = new LinkedHashMap<>();
            for (int i = 0; i < permits.size(); i++) found.put(charges.get(i), permits.get(i));
            return found;
        }
    }
}
