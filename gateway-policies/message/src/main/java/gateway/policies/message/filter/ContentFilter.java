package gateway.policies.message.filter;

import com.google.auto.service.AutoService;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.PartialAnswers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policies.message.ChangedAnswers;
import gateway.policies.message.ContentCheck;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.ContentRules;
import gateway.policies.message.SizedWork;
import gateway.policies.message.json.JsonBodies;
import gateway.policy.BodyUse;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Looks for what messages must not hold, and refuses them, masks it or records that it was there.
///
/// @param effort characters that expressions may look at, of one message
public record ContentFilter(ContentRules content, List<FilterRule> rules, ValueDecoding decoding, long effort)
        implements PolicySpec {
    /// The label under which records tell which rules have found something.
    static final String LABEL = "content-filter";

    public ContentFilter {
        rules = List.copyOf(rules);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var filter = new CompiledFilter(rules, decoding);
        return new Looking(
                this,
                filter,
                new HeadFilter(rules, filter),
                BodyRules.of(filter),
                new SizedWork(services.workers(), JsonBodies.SMALL));
    }

    @Override
    public BodyUse bodyUse() {
        return readsBodies() ? content.scope().bodyUse() : BodyUse.NONE;
    }

    private boolean readsBodies() {
        return rules.stream().anyMatch(rule -> rule.places().inBody());
    }

    private boolean masks() {
        return rules.stream().anyMatch(rule -> rule.action() == FilterAction.MASK);
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    @Override
    public boolean mayReport() {
        return !masks();
    }

    private record Looking(
            ContentFilter policy, CompiledFilter filter, HeadFilter head, BodyRules bodies, SizedWork work)
            implements Policy {
        @Override
        public Verdict apply(Exchange exchange) {
            if (policy.content.scope().on().ofRequests()) {
                Optional<Problem> problem = request(exchange);
                if (problem.isPresent()) return Verdict.stop(problem.get().toResponse(exchange.requestId()));
            }
            if (!policy.content.scope().on().ofResponses()) return Verdict.proceed();
            if (policy.masks()) ChangedAnswers.ask(exchange);
            else if (policy.readsBodies()) PartialAnswers.forgo(exchange.headers());
            return Verdict.proceed(new Back(this, exchange));
        }

        private Optional<Problem> request(Exchange exchange) {
            var scan = new FilterScan(filter, policy.effort);
            head(scan, exchange, () -> head.request(exchange, scan));
            if (scan.problem().isPresent()) return scan.problem();
            Optional<Problem> problem = Optional.empty();
            if (policy.readsBodies()) {
                var look = new BodyLook(bodies, scan, policy.content.refusesOthers(false));
                problem = guard(look, scan, exchange).inRequest(exchange);
                if (problem.isEmpty()) look.changed().ifPresent(exchange.outgoing()::replaceBody);
            }
            told(scan, exchange);
            return problem;
        }

        private Response answer(Response response, Exchange exchange) {
            var scan = new FilterScan(filter, policy.effort);
            head(scan, exchange, () -> head.fields(response.headers(), scan));
            Optional<Problem> problem = scan.problem();
            Response after = response;
            if (problem.isEmpty() && policy.readsBodies() && response.mayHaveContent(exchange.method())) {
                var look = new BodyLook(bodies, scan, policy.content.refusesOthers(true));
                problem = guard(look, scan, exchange).inAnswer(exchange, response);
                if (problem.isEmpty())
                    after = look.changed().map(response::withBody).orElse(response);
            } else if (policy.masks()) {
                after = ChangedAnswers.told(
                        response, exchange, policy.content.scope().types());
            }
            told(scan, exchange);
            return problem.isEmpty()
                    ? after
                    : ContentGuard.ofAnswer(problem.get()).toResponse(exchange.requestId());
        }

        private void head(FilterScan scan, Exchange exchange, Runnable look) {
            scan.briefly(work, exchange.api(), () -> {
                look.run();
                return true;
            });
        }

        private ContentGuard guard(BodyLook look, FilterScan scan, Exchange exchange) {
            return new ContentGuard(policy.content, new BriefCheck(look, scan, work, exchange.api()), work);
        }

        private static void told(FilterScan scan, Exchange exchange) {
            if (scan.reported().isEmpty()) return;
            var names = new HashSet<>(scan.reported());
            String before = exchange.labels().getOrDefault(LABEL, "");
            if (!before.isEmpty()) names.addAll(List.of(before.split(" ")));
            exchange.label(LABEL, String.join(" ", new java.util.TreeSet<>(names)));
        }
    }

    /// A small body that takes long all the same, as many expressions make it, goes to a worker, where a larger one is
    /// already.
    private record BriefCheck(BodyLook look, FilterScan scan, SizedWork work, String api) implements ContentCheck {
        @Override
        public boolean passesAtOnce(HeldBody body, Headers fields) {
            return look.passesAtOnce(body, fields);
        }

        @Override
        public Optional<Problem> check(HeldBody body, Headers fields, boolean answer) {
            return body.exceeds(work.most())
                    ? look.check(body, fields, answer)
                    : scan.briefly(work, api, () -> look.check(body, fields, answer));
        }
    }

    private record Back(Looking looking, Exchange exchange) implements Followup {
        @Override
        public Response onResponse(Response response) {
            return response.reason().isEmpty() ? looking.answer(response, exchange) : response;
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final int MOST_RULES = 200;
        private static final List<String> TYPES = List.of(
                "application/json",
                "*/*+json",
                "application/x-www-form-urlencoded",
                "application/xml",
                "*/*+xml",
                "text/*");

        @Override
        public String name() {
            return "content-filter";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public ContentFilter read(ConfigNode node) {
            ConfigNode list = node.field("rules", "what is looked for, 1 to 200");
            List<FilterRule> rules = list.list(FilterRule::read);
            list.extent(1, MOST_RULES);
            if (rules.isEmpty() || rules.size() > MOST_RULES)
                list.problem("expected 1 to " + MOST_RULES + " rules, got " + rules.size());
            var names = new HashSet<String>();
            for (FilterRule each : rules)
                if (!names.add(each.name())) list.problem("expected each name once, got \"" + each.name() + "\" twice");
            long characters = rules.stream()
                    .flatMap(rule -> rule.finders().stream())
                    .flatMap(finder -> finder.literals().stream())
                    .mapToLong(String::length)
                    .sum();
            if (characters > LiteralIndex.LARGEST)
                list.problem("expected words and literals of at most " + LiteralIndex.LARGEST + " characters in all");
            return new ContentFilter(
                    ContentRules.read(node, TYPES),
                    rules,
                    ValueDecoding.read(node.field(
                                    "decode",
                                    "what is undone before values are looked at, each once: `url`, `html`, `unicode`,"
                                            + " `base64`")
                            .form("`url`, `html`, `unicode`, `base64`")),
                    node.field("effort", "characters that expressions may look at, of one message")
                            .integer(1_000, 100_000_000, 4_000_000));
        }
    }
}
