package gateway.policies.script.groovy;

import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptContent;
import gateway.policies.script.run.ScriptMessage;
import org.jspecify.annotations.Nullable;

/// The body of a message as maps, lists and texts: made when it is first asked for, and the same from then on, until
/// another one is put in its place.
final class GroovyBody {
    private final ScriptMessage message;
    private boolean made;
    private @Nullable Object value;

    GroovyBody(ScriptMessage message) {
        this.message = message;
    }

    @Nullable
    Object get() {
        if (!made)
            value = switch (message.content()) {
                case ScriptContent.Unseen _ -> null;
                case ScriptContent.Text(String text) -> text;
                case ScriptContent.Tree(var tree) -> GroovyValues.of(tree);
            };
        made = true;
        return value;
    }

    /// A text as it is unless bodies are JSON here, all else as JSON; nothing empties it.
    void set(@Nullable Object other) {
        boolean isText = other instanceof CharSequence && message.reads() != ScriptBody.JSON;
        if (other == null) message.replaceByText("");
        else if (isText) message.replaceByText(other.toString());
        else message.replaceByJson(GroovyValues.json(other));
        made = true;
        value = other;
    }
}
