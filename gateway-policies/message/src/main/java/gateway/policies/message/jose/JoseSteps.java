package gateway.policies.message.jose;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The compiled steps of one kind of message.
///
/// @param names in their order
/// @param inBody whether one of them needs a body
/// @param changesBody whether one of them changes it
record JoseSteps(List<JoseAction> actions, List<String> names, boolean inBody, boolean changesBody) {
    private static final HeldBody NOTHING = Body.of(new byte[0]);

    JoseSteps {
        actions = List.copyOf(actions);
        names = List.copyOf(names);
    }

    /// @param place of the list
    static JoseSteps compile(List<JoseStep> steps, JosePlace place) {
        var actions = new ArrayList<JoseAction>();
        for (int i = 0; i < steps.size(); i++) {
            JoseStep each = steps.get(i);
            actions.add(each.compile(place.at("/" + i + '/' + each.name())));
        }
        return new JoseSteps(
                actions,
                steps.stream().map(JoseStep::name).toList(),
                steps.stream().anyMatch(JoseStep::inBody),
                steps.stream().anyMatch(JoseStep::changesBody));
    }

    /// The body that they work on: an empty one where they need none. Empty for a body that is not held.
    Optional<HeldBody> held(Body body) {
        if (!inBody || body.length().orElse(-1) == 0) return Optional.of(NOTHING);
        return body instanceof HeldBody whole && whole.isPlain() ? Optional.of(whole) : Optional.empty();
    }

    boolean isEmpty() {
        return actions.isEmpty();
    }

    /// @throws BadJoseException when the message is not what it has to be
    /// @throws UnfitContentException when it cannot become what it is to be
    void apply(JoseMessage message, Exchange exchange) {
        for (int i = 0; i < actions.size(); i++) actions.get(i).apply(message, exchange);
    }
}
