package gateway.app.admin;

import gateway.http.Response;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// All stored documents of one kind, as the admin API lists, writes and deletes them.
///
/// @param noun what one of them is called, such as `secret`
record KeptDocuments(Definitions definitions, DocumentKind kind, String noun) {
    private static final int MOST_AT_ONCE = 1000;

    /// What came of a write.
    ///
    /// @param set what is stored and live now
    /// @param created whether there was none before
    record Written(DefinitionSet set, boolean created) {}

    /// Those that a call asks for, in order of id.
    ///
    /// @param name what is looked for `name` in, of an id and its document
    /// @param shown what is told of them
    Response page(AdminCall call, BinaryOperator<String> name, BiFunction<String, String, JsonNode> shown) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        String cursor = call.query().getOrDefault("cursor", "");
        String sought = call.query().getOrDefault("name", "");
        DefinitionSet set = definitions.current();
        var items = new ArrayList<JsonNode>();
        String last = "";
        for (String id : set.ids(kind)) {
            if (id.compareTo(cursor) <= 0) continue;
            String text = found(set, id);
            if (!name.apply(id, text).contains(sought)) continue;
            if (items.size() == limit) return Answers.page(items, item -> item, Optional.of(last));
            items.add(shown.apply(id, text));
            last = id;
        }
        return Answers.page(items, item -> item, Optional.empty());
    }

    /// @param note for revisions and the audit log, behind what it says of all
    /// @throws AdminProblem 409 where its id is taken
    DefinitionSet create(AdminCall call, String id, String note, Supplier<String> text) {
        return definitions.write(call.caller(), "POST " + kind.text() + " (" + id + ")" + note, base -> {
            if (base.text(named(id)).isPresent()) {
                throw AdminProblem.conflict("there is " + article(noun) + " \"" + id + "\" already");
            }
            return List.of(new DefinitionChange(named(id), Optional.empty(), Optional.of(text.get())));
        });
    }

    /// Replaces one, or creates it.
    ///
    /// @param after makes it of what it was, empty for none
    Written put(
            AdminCall call,
            String id,
            String note,
            Precondition precondition,
            Function<Optional<String>, String> after) {
        var created = new boolean[1];
        DefinitionSet now = definitions.write(call.caller(), call.inWords() + note, base -> {
            Optional<String> before = base.text(named(id));
            precondition.check(noun + " \"" + id + "\"", before.map(EntityTag::ofText));
            created[0] = before.isEmpty();
            String text = after.apply(before);
            return before.equals(Optional.of(text))
                    ? List.of()
                    : List.of(new DefinitionChange(named(id), before, Optional.of(text)));
        });
        return new Written(now, created[0]);
    }

    Response delete(AdminCall call) {
        String id = call.place("id");
        Precondition precondition = call.precondition();
        definitions.write(call.caller(), call.inWords(), base -> {
            String before = found(base, id);
            precondition.check(noun + " \"" + id + "\"", Optional.of(EntityTag.ofText(before)));
            return List.of(new DefinitionChange(named(id), Optional.of(before), Optional.empty()));
        });
        return Response.of(204);
    }

    /// @throws AdminProblem 404 where there is none
    String found(DefinitionSet set, String id) {
        return set.text(named(id)).orElseThrow(() -> AdminProblem.notFound("there is no " + noun + " \"" + id + "\""));
    }

    String location(String id) {
        return AdminRouter.BASE + "/" + named(id);
    }

    DocumentId named(String id) {
        return new DocumentId(kind, id);
    }

    static String article(String noun) {
        return (noun.startsWith("A") ? "an " : "a ") + noun;
    }
}
