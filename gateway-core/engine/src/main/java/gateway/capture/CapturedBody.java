package gateway.capture;

import gateway.capture.BodyText.State;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// The beginning of a body as it was on the wire, secrets included: whoever records it asks for [#told], which hides
/// them, and then gives the room back. Reading and masking are left to that moment so that no request waits for it.
public final class CapturedBody {
    public static final CapturedBody NONE =
            new CapturedBody(BodyRule.OFF, "", State.NONE, new byte[0], 0, new BodyRoom(0));

    private final BodyRule rule;
    private final String contentType;
    private final State state;
    private final byte[] bytes;
    private final int length;
    private final BodyRoom room;

    /// @param state what is known of it before it is read: anything but `WHOLE` and `TRUNCATED` has no bytes
    CapturedBody(BodyRule rule, String contentType, State state, byte[] bytes, int length, BodyRoom room) {
        this.rule = rule;
        this.contentType = contentType;
        this.state = state;
        this.bytes = bytes;
        this.length = length;
        this.room = room;
    }

    /// What may be recorded.
    public BodyText told() {
        if (state != State.WHOLE && state != State.TRUNCATED) return BodyText.leftOut(state);
        boolean cut = state == State.TRUNCATED;
        Optional<String> text = charset().flatMap(charset -> decoded(charset, cut));
        if (text.isEmpty() || text.get().indexOf('\0') >= 0) return BodyText.leftOut(State.BINARY);
        return rule.mask().mask(text.get(), ContentTypes.mediaType(contentType), cut);
    }

    /// Gives its memory back; to be called once, after which the body is gone.
    public void release() {
        room.give(bytes.length);
    }

    /// Text in other charsets is rare, and not worth the risk of reading a secret otherwise than the server does.
    private Optional<Charset> charset() {
        String lower = contentType.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("charset=");
        if (at < 0) return Optional.of(StandardCharsets.UTF_8);
        String name = lower.substring(at + "charset=".length()).replace("\"", "");
        int end = name.indexOf(';');
        return switch ((end < 0 ? name : name.substring(0, end)).strip()) {
            case "utf-8", "utf8", "us-ascii" -> Optional.of(StandardCharsets.UTF_8);
            case "iso-8859-1" -> Optional.of(StandardCharsets.ISO_8859_1);
            default -> Optional.empty();
        };
    }

    /// Empty when the bytes are no text. Where they break off inside a character it is left out.
    private Optional<String> decoded(Charset charset, boolean cut) {
        var decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(length + 1);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes, 0, length), text, !cut);
        return result.isUnderflow() ? Optional.of(text.flip().toString()) : Optional.empty();
    }
}
