package gateway.app.steering;

import gateway.config.RequestTrait;
import gateway.config.SplitDefinition;
import gateway.config.SplitDefinition.Branch;
import gateway.config.UpstreamDefinition;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// An upstream whose requests are split between branches: by what they are, by what their client had before, or by
/// chance. The last one is the upstream's own targets.
final class SplitUpstream implements Upstream {
    private static final String OWN = "main";

    private final List<Branch> branches;
    private final List<Upstream> upstreams;
    private final Optional<RequestTrait> stickBy;
    private final boolean setsCookie;
    private final String cookieEnd;
    private final Dice dice;

    private SplitUpstream(SplitDefinition split, List<Upstream> upstreams, Dice dice) {
        this.branches = split.branches();
        this.upstreams = List.copyOf(upstreams);
        this.stickBy = split.stickBy();
        this.setsCookie =
                stickBy.filter(by -> by.kind() == RequestTrait.Kind.COOKIE).isPresent();
        this.cookieEnd = "; Path=/; Max-Age=" + split.cookieAge().toSeconds() + "; HttpOnly; SameSite=Lax";
        this.dice = dice;
    }

    static SplitUpstream of(
            UpstreamDefinition definition,
            SplitDefinition split,
            Function<UpstreamDefinition, Upstream> upstreams,
            Dice dice) {
        var each = new ArrayList<Upstream>();
        for (Branch branch : split.branches())
            each.add(upstreams.apply(definition.branch(branch.name(), branch.targets())));
        each.add(upstreams.apply(definition.branch("", definition.targets())));
        return new SplitUpstream(split, each, dice);
    }

    @Override
    public Set<String> branches() {
        var names = new LinkedHashSet<String>();
        for (Branch branch : branches) names.add(branch.name());
        names.add(OWN);
        return names;
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        String chosen = exchange.outgoing().branch();
        if (!chosen.isEmpty()) return upstreams.get(place(chosen)).send(exchange, waiter);
        for (int i = 0; i < branches.size(); i++) {
            var when = branches.get(i).when();
            if (when.isPresent() && when.get().holds(exchange))
                return upstreams.get(i).send(exchange, waiter);
        }
        if (stickBy.isEmpty()) return upstreams.get(at(dice.below(100))).send(exchange, waiter);
        Optional<String> known = stickBy.get().of(exchange);
        if (!setsCookie) return upstreams.get(at(part(known, exchange))).send(exchange, waiter);
        int before = known.map(this::named).orElse(-1);
        if (before >= 0) return upstreams.get(before).send(exchange, waiter);
        int drawn = at(dice.below(100));
        Response response = upstreams.get(drawn).send(exchange, waiter);
        String secure = exchange.scheme().equals("https") ? "; Secure" : "";
        response.headers().add("Set-Cookie", stickBy.get().name() + "=" + name(drawn) + cookieEnd + secure);
        return response;
    }

    @Override
    public void served() {
        upstreams.forEach(Upstream::served);
    }

    @Override
    public void retired() {
        upstreams.forEach(Upstream::retired);
    }

    /// One for each branch, and that of the upstream's own targets.
    List<Upstream> parts() {
        return upstreams;
    }

    /// The hundredth that a value belongs to, always the same; without a value, that of the client's address.
    private static long part(Optional<String> value, Exchange exchange) {
        String text = value.or(() -> RequestTrait.IP.of(exchange)).orElseThrow();
        return Long.remainderUnsigned(Hash.of(text), 100);
    }

    /// The branch of a hundredth: the first ones are the branches' in their order, the rest are the upstream's own.
    private int at(long hundredth) {
        long left = hundredth;
        for (int i = 0; i < branches.size(); i++) {
            left -= branches.get(i).percent();
            if (left < 0) return i;
        }
        return branches.size();
    }

    /// The branch that a cookie names; -1 when there is none, or it takes no share any more.
    private int named(String name) {
        int shares = 0;
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            if (branch.name().equals(name)) return branch.percent() > 0 ? i : -1;
            shares += branch.percent();
        }
        return name.equals(OWN) && shares < 100 ? branches.size() : -1;
    }

    /// Of a branch that there is, or of the upstream's own targets.
    private int place(String name) {
        for (int i = 0; i < branches.size(); i++) if (branches.get(i).name().equals(name)) return i;
        return branches.size();
    }

    private String name(int place) {
        return place < branches.size() ? branches.get(place).name() : OWN;
    }
}
