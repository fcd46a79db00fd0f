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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// An upstream whose requests are split between branches: by what they are, by what their client had before, or by
/// chance. The last one is the upstream's own targets.
final class SplitUpstream implements Upstream {
    private static final String OWN = "main";

    private final List<Branch> branches;
    private final List<Upstream> upstreams;
    private final Map<String, String> firstTargets;
    private final Optional<RequestTrait> stickBy;
    private final boolean setsCookie;
    private final String cookieEnd;
    private final Dice dice;

    private SplitUpstream(
            SplitDefinition split, List<Upstream> upstreams, Map<String, String> firstTargets, Dice dice) {
        this.branches = split.branches();
        this.upstreams = List.copyOf(upstreams);
        this.firstTargets = firstTargets;
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
        return new SplitUpstream(split, each, definition.firstTargets(), dice);
    }

    @Override
    public Set<String> branches() {
        var names = new LinkedHashSet<String>();
        for (Branch branch : branches) names.add(branch.name());
        names.add(OWN);
        return names;
    }

    @Override
    public Map<String, String> firstTargets() {
        return firstTargets;
    }

    /// One that is drawn and told to the client by a cookie is drawn when the request is sent: an answer that sets
    /// cookies is nobody else's.
    @Override
    public void choose(Exchange exchange) {
        if (!exchange.outgoing().branch().isEmpty()) return;
        int known = known(exchange);
        if (known < 0 && !setsCookie) known = at(dice.below(100));
        if (known >= 0) exchange.outgoing().branch(name(known));
    }

    @Override
    public Response send(Exchange exchange, UpstreamWaiter waiter) {
        String chosen = exchange.outgoing().branch();
        int known = chosen.isEmpty() ? known(exchange) : place(chosen);
        if (known >= 0) return upstreams.get(known).send(exchange, waiter);
        int drawn = at(dice.below(100));
        Response response = upstreams.get(drawn).send(exchange, waiter);
        if (!setsCookie) return response;
        String secure = exchange.scheme().equals("https") ? "; Secure" : "";
        response.headers().add("Set-Cookie", stickBy.orElseThrow().name() + "=" + name(drawn) + cookieEnd + secure);
        return response;
    }

    /// The branch that what the request is, or what its client had before, decides on; -1: chance does.
    private int known(Exchange exchange) {
        for (int i = 0; i < branches.size(); i++) {
            var when = branches.get(i).when();
            if (when.isPresent() && when.get().holds(exchange)) return i;
        }
        if (stickBy.isEmpty()) return -1;
        Optional<String> value = stickBy.get().of(exchange);
        return setsCookie ? value.map(this::named).orElse(-1) : at(part(value, exchange));
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
