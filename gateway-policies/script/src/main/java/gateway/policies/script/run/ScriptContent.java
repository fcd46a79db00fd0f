package gateway.policies.script.run;

import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.HeldBody;
import gateway.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What a script sees of the body of a message.
public sealed interface ScriptContent {
    /// It sees none: it asks for none, there is none, or it has no end.
    record Unseen() implements ScriptContent {}

    record Text(String text) implements ScriptContent {}

    /// @param tree not to be changed
    record Tree(JsonNode tree) implements ScriptContent {}

    ScriptContent UNSEEN = new Unseen();

    /// @throws BodyRefusedException when it is not what is asked for
    static ScriptContent of(Body body, ScriptBody reads) {
        Optional<HeldBody> whole =
                body instanceof HeldBody held && held.isPlain() ? Optional.of(held) : Optional.empty();
        if (reads == ScriptBody.NONE || whole.isEmpty() || whole.get().plain().length == 0) return UNSEEN;
        return reads == ScriptBody.JSON
                ? new Tree(whole.get().json())
                : new Text(text(whole.get().plain()));
    }

    private static String text(byte[] bytes) {
        if (!Utf8.holds(bytes)) throw BodyRefusedException.malformed("not UTF-8");
        int begin = Utf8.mark(bytes);
        return new String(bytes, begin, bytes.length - begin, StandardCharsets.UTF_8);
    }
}
