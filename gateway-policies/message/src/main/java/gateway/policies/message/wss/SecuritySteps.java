package gateway.policies.message.wss;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.KeyWork;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.xml.XmlContent;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import gateway.xml.XmlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The compiled steps of one kind of message.
///
/// @param names in their order
/// @param types of messages that are looked at
/// @param onlyAdd whether none of them refuses a message
/// @param actor whose `Security` header is meant
record SecuritySteps(
        List<SecurityAction> actions,
        List<String> names,
        boolean onlyAdd,
        MediaRanges types,
        String actor,
        KeyWork work) {
    SecuritySteps {
        actions = List.copyOf(actions);
        names = List.copyOf(names);
    }

    /// What became of a message.
    sealed interface Outcome {
        /// It goes on as it is.
        record Same() implements Outcome {}

        record Changed(Body body) implements Outcome {}

        /// It cannot be read.
        record Unreadable(Problem problem) implements Outcome {}

        record Refused(SecurityFlaw flaw) implements Outcome {}
    }

    /// @param place of the list
    static SecuritySteps compile(
            List<SecurityStep> steps, MediaRanges types, String actor, KeyWork work, SecurityPlace place) {
        var actions = new ArrayList<SecurityAction>();
        for (int i = 0; i < steps.size(); i++) {
            SecurityStep each = steps.get(i);
            actions.add(each.compile(place.at("/" + i + '/' + each.name())));
        }
        boolean onlyAdd = steps.stream().allMatch(SecurityStep::onlyAdds);
        return new SecuritySteps(actions, steps.stream().map(SecurityStep::name).toList(), onlyAdd, types, actor, work);
    }

    boolean isEmpty() {
        return actions.isEmpty();
    }

    Outcome done(Body body, Headers fields, Exchange exchange) {
        if (body.length().orElse(1) == 0) return new Outcome.Refused(SecurityFlaw.MISSING);
        boolean readable = body instanceof HeldBody whole && whole.isPlain();
        if (!readable || !types.include(fields)) return new Outcome.Unreadable(ContentGuard.otherType());
        XmlContent content = XmlContent.of((HeldBody) body, fields);
        Optional<Problem> flaw = content.flaw();
        if (flaw.isPresent()) return new Outcome.Unreadable(flaw.get());
        try {
            return done(content, exchange);
        } catch (BadSecurityException e) {
            return new Outcome.Refused(e.flaw());
        }
    }

    private Outcome done(XmlContent content, Exchange exchange) {
        int length = content.bytes().length;
        Parsed parsed = work.on(false, length, () -> parsed(content));
        if (parsed.problem().isPresent())
            return new Outcome.Unreadable(parsed.problem().get());
        SoapMessage message = parsed.message().orElseThrow();
        for (SecurityAction each : actions) each.apply(message, exchange);
        if (!message.isChanged()) return new Outcome.Same();
        return new Outcome.Changed(Body.of(work.on(false, length, () -> XmlText.of(message.document()))));
    }

    /// One of both.
    private record Parsed(Optional<SoapMessage> message, Optional<Problem> problem) {}

    private Parsed parsed(XmlContent content) {
        try {
            var message = SoapMessage.of(Xml.document(content.source()), actor, content.bytes().length);
            return new Parsed(Optional.of(message), Optional.empty());
        } catch (BadXmlException e) {
            return new Parsed(Optional.empty(), Optional.of(XmlContent.refusal(e)));
        }
    }
}
