package gateway.app.redis;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keys in Redis: the scripts over the seven Redis keys that hold them, all in one slot.
final class KeyScripts {
    private static final Script ISSUE = Script.of("key-issue");
    private static final Script CHANGE = Script.of("key-change");
    private static final Script DELETE = Script.of("key-delete");
    private static final Script BY_SECRET = Script.of("key-by-secret");
    private static final Script BY_ID = Script.of("key-by-id");
    private static final Script LIST = Script.of("key-list");
    private static final Script CHANGES = Script.of("key-changes");
    private static final Script PEPPER = Script.of("pepper");

    private final RedisLink link;
    private final String prefix;

    KeyScripts(RedisLink link, String namespace) {
        this.link = link;
        this.prefix = "{" + namespace + ":keys}:";
    }

    /// Where each write is told as `VERSION ID`.
    String channel() {
        return prefix + "changed";
    }

    List<@Nullable String> issue(String id, String digest, String json) {
        return patiently(ISSUE, arguments().add(id).add(digest).add(json).add(channel()));
    }

    /// @param expected version that it must have; empty: any
    List<@Nullable String> replace(String id, String expected, String json) {
        return change(id, expected, "", json, Duration.ZERO);
    }

    /// @param overlap for which the secret before opens it too
    List<@Nullable String> rotate(String id, String digest, Duration overlap) {
        return change(id, "", digest, "", overlap);
    }

    /// @param digest empty: as it is
    /// @param json empty: as it is
    private List<@Nullable String> change(String id, String expected, String digest, String json, Duration overlap) {
        var arguments = arguments().add(id).add(expected).add(digest).add(json).add(channel());
        return patiently(CHANGE, arguments.add(overlap.toMillis()));
    }

    List<@Nullable String> delete(String id, String expected) {
        return patiently(DELETE, arguments().add(id).add(expected).add(channel()));
    }

    /// Within the request's deadline.
    ScriptReply.Texts bySecret(String digest) {
        var arguments = Arguments.keys(
                prefix + "secrets",
                prefix + "keys",
                prefix + "ids",
                prefix + "version",
                prefix + "changes",
                prefix + "former-secrets",
                prefix + "former",
                prefix + "pepper-check");
        return link.ask(BY_SECRET, arguments.add(digest), new ScriptReply.Texts());
    }

    @Nullable
    String byId(String id) {
        return patiently(BY_ID, arguments().add(id)).getFirst();
    }

    List<@Nullable String> list(String after, int limit) {
        return patiently(LIST, arguments().add(after).add(limit));
    }

    List<@Nullable String> changes(long since) {
        return patiently(CHANGES, arguments().add(since));
    }

    /// What Redis keeps of the pepper, once what was missing is there.
    ///
    /// @param pepper in hexadecimal; empty: not to be kept in Redis
    SharedPepper.Kept pepper(String pepper, String check) {
        var arguments = Arguments.keys(prefix + "pepper", prefix + "pepper-check")
                .add(pepper)
                .add(check);
        var answer = link.askPatiently(PEPPER, arguments, new ScriptReply.Texts());
        return new SharedPepper.Kept(answer.at(0), answer.at(1), answer.at(2).equals("1"));
    }

    private Arguments arguments() {
        return Arguments.keys(
                prefix + "secrets",
                prefix + "keys",
                prefix + "ids",
                prefix + "version",
                prefix + "changes",
                prefix + "former-secrets",
                prefix + "former");
    }

    private List<@Nullable String> patiently(Script script, Arguments arguments) {
        return link.askPatiently(script, arguments, new ScriptReply.Texts()).all();
    }
}
