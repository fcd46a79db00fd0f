package gateway.policies.identity;

import gateway.http.HeaderField;
import java.util.List;

/// A session, and what requests of it are to carry.
///
/// @param forwarded what the upstream gets
record OpenedSession(Session session, TokenSubject subject, List<HeaderField> forwarded) {
    OpenedSession {
        forwarded = List.copyOf(forwarded);
    }
}
