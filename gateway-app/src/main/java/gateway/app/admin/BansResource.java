package gateway.app.admin;

import gateway.http.Response;
import gateway.json.Json;
import gateway.service.Bans;
import gateway.service.KeptParts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Who is kept out by `ban` policies: `/bans`.
final class BansResource {
    private static final long MOST_AT_ONCE = 1000;

    private final KeptParts parts;
    private final Definitions definitions;

    BansResource(KeptParts parts, Definitions definitions) {
        this.parts = parts;
        this.definitions = definitions;
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/bans", "listBans", "Who is kept out by `ban` policies", this::list)
                        .knowing(QueryParameter.LIMIT, QueryParameter.OFFSET, QueryParameter.NAME)
                        .answering(200, "a page of bans, by policy and subject", "BanPage"),
                AdminRoute.of("DELETE", "/bans", "liftBans", "Lets in again who is kept out", this::lift)
                        .knowing(QueryParameter.POLICY, QueryParameter.SUBJECT)
                        .answering(
                                200,
                                "how many were let in again; of all policies or subjects unless one is named",
                                "LiftedBans"));
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        int from = (int) call.number("cursor", 0, QueryParameter.LARGEST_OFFSET, 0);
        String part = call.query().getOrDefault("name", "");
        List<Told> found = told().filter(told -> told.name().contains(part))
                .skip(from)
                .limit(limit + 1L)
                .toList();
        boolean more = found.size() > limit;
        Optional<String> next = more ? Optional.of(Integer.toString(from + limit)) : Optional.empty();
        return Answers.page(more ? found.subList(0, limit) : found, BansResource::json, next);
    }

    private Response lift(AdminCall call) {
        String policy = call.named("policy");
        String subject = call.named("subject");
        int lifted = 0;
        for (Told each : told().toList()) {
            if (!policy.isEmpty() && !policy.equals(each.by.policy())) continue;
            if (!subject.isEmpty() && !subject.equals(each.ban.subject())) continue;
            if (each.by.lift(each.ban.subject())) lifted++;
        }
        String which =
                Stream.of(policy, subject).filter(word -> !word.isEmpty()).reduce("", (all, word) -> all + ' ' + word);
        definitions.audited(call.author(), call.inWords() + which + " (" + lifted + ")");
        return Answers.ok(Json.mapper().createObjectNode().put("lifted", lifted));
    }

    private record Told(Bans by, Bans.Ban ban) {
        String name() {
            return by.policy() + ' ' + ban.subject();
        }
    }

    private Stream<Told> told() {
        return parts.inUse(Bans.class).stream()
                .flatMap(bans -> bans.standing().stream().map(ban -> new Told(bans, ban)))
                .sorted(Comparator.comparing(Told::name));
    }

    private static ObjectNode json(Told told) {
        return Json.mapper()
                .createObjectNode()
                .put("policy", told.by.policy())
                .put("subject", told.ban.subject())
                .put("since", told.ban.since().toString())
                .put("until", told.ban.until().toString())
                .put("times", told.ban.times());
    }
}
