package gateway.policies.message.jose;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The compiled steps of one kind of message.
///
/// @param all in their order
/// @param inBody whether one of them needs a body
/// @param changesBody whether one of them makes another one
record JoseSteps(List<Compiled> all, boolean inBody, boolean changesBody) {
    private static final HeldBody NOTHING = Body.of(new byte[0]);

    /// A step, and what does it.
    record Compiled(JoseStep step, JoseAction action) {}

    JoseSteps {
        all = List.copyOf(all);
    }

    private static JoseSteps of(List<Compiled> all) {
        return new JoseSteps(
                all,
                all.stream().anyMatch(each -> each.step().inBody()),
                all.stream().anyMatch(each -> each.step().changesBody()));
    }

    /// @param place of the list
    static JoseSteps compile(List<JoseStep> steps, JosePlace place) {
        var all = new ArrayList<Compiled>();
        for (int i = 0; i < steps.size(); i++) {
            JoseStep each = steps.get(i);
            all.add(new Compiled(each, each.compile(place.at("/" + i + '/' + each.name()))));
        }
        return of(all);
    }

    List<String> names() {
        return all.stream().map(each -> each.step().name()).toList();
    }

    /// Those of fields alone, for answers without content.
    JoseSteps inFields() {
        return of(all.stream()
                .filter(each -> each.step().part() instanceof JosePart.Field)
                .toList());
    }

    /// Of [#inFields] those whose field is there.
    JoseSteps of(Headers fields) {
        return of(all.stream()
                .filter(each -> each.step().part() instanceof JosePart.Field(String name) && fields.contains(name))
                .toList());
    }

    /// The body that they work on: an empty one where they need none. Empty for a body that is not held.
    Optional<HeldBody> held(Body body) {
        if (!inBody || body.length().orElse(-1) == 0) return Optional.of(NOTHING);
        return body instanceof HeldBody whole && whole.isPlain() ? Optional.of(whole) : Optional.empty();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /// @throws BadJoseException when the message is not what it has to be
    /// @throws UnfitContentException when it cannot become what it is to be
    void apply(JoseMessage message, Exchange exchange) {
        for (int i = 0; i < all.size(); i++) all.get(i).action().apply(message, exchange);
    }
}
