package gateway.capture;

/// What is recorded of a body: its text, masked, or why there is none.
///
/// @param text empty when it was left out
public record BodyText(State state, String text) {
    /// There was no body, or none was asked for.
    public static final BodyText NONE = new BodyText(State.NONE, "");

    public enum State {
        NONE,
        /// All of it.
        WHOLE,
        /// Its beginning: the rest is over the cap, or never came.
        TRUNCATED,
        /// Left out: `Content-Encoding` says that it is compressed.
        ENCODED,
        /// Left out: its type is not among those asked for, or its bytes are not text.
        BINARY,
        /// Left out: there are names to hide, and it is of no form that they can be found in.
        UNMASKABLE,
        /// Left out: other bodies took all the room.
        NO_ROOM
    }

    static BodyText leftOut(State why) {
        return new BodyText(why, "");
    }
}
