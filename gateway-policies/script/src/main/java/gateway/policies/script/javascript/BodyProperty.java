package gateway.policies.script.javascript;

import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptContent;
import gateway.policies.script.run.ScriptMessage;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/// The body of a message as a value of its script: made when it is first asked for, and the same from then on, until
/// another one is put in its place.
final class BodyProperty {
    private final SandboxContext context;
    private final Scriptable scope;
    private final ScriptMessage message;
    private boolean made;
    private @Nullable Object value;

    BodyProperty(SandboxContext context, Scriptable scope, ScriptMessage message) {
        this.context = context;
        this.scope = scope;
        this.message = message;
    }

    @Nullable
    Object get() {
        if (!made)
            value = switch (message.content()) {
                case ScriptContent.Unseen _ -> Undefined.instance;
                case ScriptContent.Text(String text) -> text;
                case ScriptContent.Tree(var tree) -> ScriptValues.of(tree, context, scope);
            };
        made = true;
        return value;
    }

    /// A text as it is unless bodies are JSON here, all else as JSON; nothing empties it.
    void set(@Nullable Object other) {
        if (other != null && Undefined.isUndefined(other)) {
            message.replaceByText("");
        } else if (other instanceof CharSequence text && message.reads() != ScriptBody.JSON) {
            message.replaceByText(text.toString());
        } else {
            Object text = JsonText.of(other, context, scope);
            if (!(text instanceof CharSequence json)) throw ScriptRuntime.typeError("body: expected a value of JSON");
            message.replaceByJson(json.toString());
        }
        made = true;
        value = other;
    }
}
