package gateway.policy;

/// What a policy needs of the body of one kind of message.
public sealed interface BodyAccess {
    BodyAccess NONE = new None();

    /// All bytes as they are sent, of every message.
    static Held held(long most) {
        return new Held(most, false, BodyFilter.ALL);
    }

    /// All bytes with `Content-Encoding` undone, of every message.
    static Held plain(long most) {
        return new Held(most, true, BodyFilter.ALL);
    }

    /// Every piece as it passes, of every message.
    static Watched watched() {
        return new Watched(BodyFilter.ALL);
    }

    /// Every piece as it passes, to be replaced, of every message.
    static Streamed streamed() {
        return new Streamed(BodyFilter.ALL);
    }

    /// Nothing: it streams past.
    record None() implements BodyAccess {}

    /// Each piece as it passes, as it is sent, then how the body ends; nothing is held up or kept. The policy's
    /// followup says by whom: [Followup#watch], [Followup#watchRequest]. Streams without an end are among them.
    ///
    /// Never are answers that have no content by their kind, and what follows an upgrade of the connection.
    ///
    /// @param only which messages
    record Watched(BodyFilter only) implements BodyAccess {
        /// The same for some messages only.
        public Watched only(BodyFilter filter) {
            return new Watched(filter);
        }
    }

    /// Each piece as it passes, and what is sent in its place; the length is unknown from then on, and fields that tell
    /// of the old content go. By [Followup#change] and [Followup#changeRequest], else like [Watched].
    ///
    /// @param only which messages
    record Streamed(BodyFilter only) implements BodyAccess {
        /// The same for some messages only.
        public Streamed only(BodyFilter filter) {
            return new Streamed(filter);
        }
    }

    /// All of it, gathered before the policy is called: `Exchange.held()`, `Response.held()`. A larger request is
    /// answered 413, a larger answer is replaced by 502.
    ///
    /// Never gathered are streams without an end (`text/event-stream`, gRPC, `multipart/x-mixed-replace`,
    /// WebSockets) and answers that have no content by their kind: a policy that lets nothing pass unseen
    /// refuses what is not held.
    ///
    /// @param most bytes, as sent and once undone. Before the API's authentication, at most 64 KiB are held
    /// @param plain whether `Content-Encoding` is undone
    /// @param only which messages
    record Held(long most, boolean plain, BodyFilter only) implements BodyAccess {
        /// The same for some messages only.
        public Held only(BodyFilter filter) {
            return new Held(most, plain, filter);
        }

        /// What is enough for both: messages that either wants, as far as the one that goes further.
        public Held or(Held other) {
            return new Held(
                    Math.max(most, other.most),
                    plain || other.plain,
                    (fields, length) -> only.wants(fields, length) || other.only.wants(fields, length));
        }
    }
}
