package gateway.policies.script.run;

import gateway.http.Body;
import gateway.http.BodyCharset;
import gateway.http.BodyRefusedException;
import gateway.http.Headers;
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

    /// @param fields of its message
    /// @throws BodyRefusedException when it is not what is asked for
    static ScriptContent of(Headers fields, Body body, ScriptBody reads) {
        Optional<HeldBody> whole =
                body instanceof HeldBody held && held.isPlain() ? Optional.of(held) : Optional.empty();
        if (reads == ScriptBody.NONE || whole.isEmpty() || whole.get().plain().length == 0) return UNSEEN;
        if (reads != ScriptBody.JSON) return new Text(text(whole.get().plain()));
        BodyCharset.requireUtf8(fields);
        return new Tree(whole.get().json());
    }

    private static String text(byte[] bytes) {
        if (!Utf8.holds(bytes)) throw BodyRefusedException.malformed("not UTF-8");
        int begin = Utf8.mark(bytes);
        return new String(bytes, begin, bytes.length - begin, StandardCharsets.UTF_8);
    }
}
