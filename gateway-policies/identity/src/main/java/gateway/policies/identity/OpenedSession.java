package gateway.policies.identity;

import java.util.List;

/// A session, and what requests of it are to carry.
///
/// @param forwarded headers that the upstream gets
record OpenedSession(Session session, TokenSubject subject, List<Header> forwarded) {
    /// A header with what it says.
    record Header(String name, String value) {
        /// Without the value, which may be a token.
        @Override
        public String toString() {
            return name;
        }
    }

    OpenedSession {
        forwarded = List.copyOf(forwarded);
    }
}
