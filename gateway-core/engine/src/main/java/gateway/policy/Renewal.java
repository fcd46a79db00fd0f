package gateway.policy;

import gateway.http.Exchange;
import java.util.Optional;

/// What goes on behind an answer that a policy of the stage [Stage#CACHE] gives from what it keeps: the request goes on
/// to the upstream all the same, without its client (`stale-while-revalidate`, RFC 5861 §3). It begins or is dropped,
/// once.
public interface Renewal {
    /// Bytes of the largest answer that is of use.
    long most();

    /// What comes is larger than that, and nobody is shown more of it. Called between the begin and the end of the
    /// followup.
    void outgrown();

    /// Called on a thread of its own, which may block.
    ///
    /// @param exchange as the policy has met it; what becomes of it is its own
    /// @return who is shown what comes, instead of a client; empty: nothing is to be asked
    Optional<Followup> begin(Exchange exchange);

    /// It does not come to that: too many are under way, or there is no memory for it.
    void dropped();
}
