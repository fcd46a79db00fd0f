package gateway.app.redis;

import gateway.service.Charge;
import gateway.service.DependencyException;
import gateway.service.Permit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/// Decides charges on the shared counters, one script call a subject.
///
/// Charges of one subject are atomic: all or none. Those of several subjects may live on several nodes of a
/// cluster, so each subject decides for itself, all in one round trip; what was granted is given back when
/// another subject refused. Between the two a competing request may be refused that could just have been
/// granted; none is granted too much. What Redis granted too late for its request is given back too.
final class ExactCounting {
    private static final Script ACQUIRE = Script.of("limit-rules", "acquire");
    private static final Script LEASE = Script.of("limit-rules", "lease");
    private static final int MOST_CORRECTIONS = 3;

    private final RedisLink link;
    private final Counters counters;

    ExactCounting(RedisLink link, Counters counters) {
        this.link = link;
        this.counters = counters;
    }

    /// @throws DependencyException when Redis does not answer
    List<Permit> decide(List<Charge> charges, boolean spend) {
        if (!ofOneSubject(charges)) return decideApart(charges, spend);
        return answered(begin(charges, spend), spend).permits();
    }

    /// As [#decide] of one subject without spending, with the patience of the background.
    ///
    /// @throws DependencyException when Redis does not answer
    void look(List<Charge> charges) {
        link.askPatiently(ACQUIRE, arguments(charges, false), new ScriptReply.Numbers());
    }

    /// Takes up to `want` requests of one counter, for [Lease] to spend, with the patience of the
    /// background. The answer is that of `lease.lua`.
    ///
    /// @throws DependencyException when Redis is known to be away
    Call lease(Charge charge, long want, ScriptReply.Numbers reply, RedisLink.Follower follower) {
        var arguments = Arguments.keys(counters.key(charge));
        counters.addTime(arguments);
        arguments.add(want);
        counters.addRule(arguments, charge.rule());
        return link.beginPatiently(LEASE, arguments, reply, follower);
    }

    /// Waits for a [#lease], see [RedisLink#await].
    void await(Charge charge, CompletableFuture<Void> coming, LongUnaryOperator departed, boolean mine) {
        link.await(counters.key(charge), coming, departed, mine);
    }

    /// Redis' clock, told instead of an answer when it is in another calendar period than this node thought.
    void correct(long redisMicros) {
        counters.periods().correct(redisMicros);
    }

    /// Gives all of `charge` back, without waiting.
    ///
    /// @param mark where it was taken, as told by `acquire.lua`
    void giveBack(Charge charge, String mark) {
        var _ = GiveBack.begin(link, counters, charge, charge::amount, mark);
    }

    /// Gives back what is left of `rest`, which nobody spends any more.
    ///
    /// @param ticks of its times
    /// @return whether Redis has it; see [GiveBack]
    CompletableFuture<Boolean> giveBack(Charge charge, Slice rest, LongSupplier ticks) {
        return GiveBack.begin(link, counters, charge, () -> rest.left(ticks.getAsLong()), rest.window());
    }

    private Asking begin(List<Charge> charges, boolean spend) {
        var asking = new Asking(this, charges, spend);
        return asking.with(link.begin(ACQUIRE, arguments(charges, spend), asking.reply(), asking));
    }

    /// The answer to `first`, asked again when Redis is in another calendar period than this node thought.
    private Asking answered(Asking first, boolean spend) {
        Asking asking = first;
        for (int i = 0; ; i++) {
            var reply = link.answer(asking.call(), asking.reply());
            if (asking.decided()) return asking;
            if (i == MOST_CORRECTIONS) throw new DependencyException(RedisLink.DEPENDENCY, "clocks do not agree");
            correct(reply.at(0));
            asking = begin(first.charges(), spend);
        }
    }

    private Arguments arguments(List<Charge> charges, boolean spend) {
        String[] keys = new String[charges.size()];
        for (int i = 0; i < keys.length; i++) keys[i] = counters.key(charges.get(i));
        var arguments = Arguments.keys(keys);
        counters.addTime(arguments);
        arguments.add(spend ? 1 : 0);
        for (int i = 0; i < keys.length; i++) {
            Charge charge = charges.get(i);
            counters.addRule(arguments, charge.rule(), charge.amount());
        }
        return arguments;
    }

    private List<Permit> decideApart(List<Charge> charges, boolean spend) {
        Map<String, List<Charge>> subjects = new LinkedHashMap<>();
        for (Charge charge : charges)
            subjects.computeIfAbsent(charge.subject(), s -> new ArrayList<>()).add(charge);
        var asked = new ArrayList<Asking>();
        var decided = new ArrayList<Asking>();
        try {
            for (var part : subjects.values()) asked.add(begin(part, spend));
            for (var part : asked) decided.add(answered(part, spend));
        } catch (DependencyException e) {
            for (var part : decided) part.giveBack();
            for (var part : asked.subList(decided.size(), asked.size())) part.abandon();
            throw e;
        }
        return together(charges, decided);
    }

    /// The permits in the order of `charges`; what some parts granted is given back when another refused.
    private static List<Permit> together(List<Charge> charges, List<Asking> parts) {
        boolean granted = true;
        Map<Charge, Permit> found = new LinkedHashMap<>();
        for (var part : parts) {
            var permits = part.permits();
            for (int i = 0; i < permits.size(); i++) found.put(part.charges().get(i), permits.get(i));
            granted &= part.granted();
        }
        if (!granted) parts.forEach(Asking::giveBack);
        return charges.stream().map(found::get).toList();
    }

    private static boolean ofOneSubject(List<Charge> charges) {
        String subject = charges.getFirst().subject();
        for (int i = 1; i < charges.size(); i++) {
            if (!charges.get(i).subject().equals(subject)) return false;
        }
        return true;
    }
}
