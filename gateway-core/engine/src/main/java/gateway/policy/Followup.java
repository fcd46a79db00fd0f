package gateway.policy;

import gateway.http.BodyMemory;
import gateway.http.Exchange;
import gateway.http.Outcome;
import gateway.http.PieceChange;
import gateway.http.PieceWatch;
import gateway.http.Response;
import java.util.Optional;

/// What a policy still does once the answer is known. Innermost first, also after a stop further in.
public interface Followup {
    Followup NONE = new Followup() {};

    /// Sees the answer, once, after those further in, and says what goes on to those further out. Runs under the
    /// rules of its policy's step: on a worker where the policy does, and in its span.
    ///
    /// A `DependencyException` goes by the policy's `onOutage`: the answer as it was where that allows, else 503. A
    /// body larger than what is asked of it is 502, and an upstream that breaks off meanwhile is 502 or 504.
    default Response onResponse(Response response) {
        return response;
    }

    /// What its policy would have refused with, though it lets pass: the request, when asked at first,
    /// the answer, when asked after [#onResponse]. It is counted and recorded as in [PolicyMode#REPORT].
    /// For policies that report of one kind of message alone, and whose time is told
    /// ([PolicySpec#callsOut]): others are not asked.
    default Optional<Response> reported() {
        return Optional.empty();
    }

    /// Whether it may come to [report][#reported] of the answer: what its policy says is counted then, not before.
    default boolean mayReportAnswer() {
        return false;
    }

    /// Who sees the body of this answer pass. Asked on the request's thread before [#onResponse], of policies that say
    /// [BodyAccess.Watched] of answers, about those that their filter picks.
    ///
    /// @param memory for what is kept of it
    default PieceWatch watch(Response answer, BodyMemory memory) {
        return PieceWatch.NONE;
    }

    /// Who makes other content of the body of this answer while it passes; likewise for [BodyAccess.Streamed]. Then
    /// [#onResponse] finds an answer of unknown length, without the fields that tell of content, and sets its own.
    ///
    /// @param memory for what is kept of it
    default PieceChange change(Response answer, BodyMemory memory) {
        return PieceChange.NONE;
    }

    /// Who sees the request's body pass on its way to the upstream; asked once its policy has let the request pass.
    default PieceWatch watchRequest(Exchange exchange, BodyMemory memory) {
        return PieceWatch.NONE;
    }

    /// Who makes other content of the request's body on its way to the upstream; likewise. Then fields are set that
    /// tell of the new content.
    default PieceChange changeRequest(Exchange exchange, BodyMemory memory) {
        return PieceChange.NONE;
    }

    /// Whether the upstream is to be asked once more, since what this policy gave it was not taken: a token
    /// that it does not know any more. Asked of policies of the stage UPSTREAM alone, about the upstream's
    /// first answer, before any followup sees it. Then all policies of that stage are asked again, which
    /// find the request as they have left it, and the first answer is forgotten: their first followups see
    /// none, but are told of the end.
    ///
    /// No request goes out more than once more for this, and none whose body has gone by: a policy that wants it
    /// for small bodies holds them ([gateway.http.Body#bytes]).
    default boolean again(Response answer) {
        return false;
    }

    /// Called exactly once, always, when the exchange is over; possibly on an IO thread, so it must not block.
    default void onEnd(Outcome outcome) {}
}
