package gateway.policies.message;

import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import java.util.List;
import java.util.OptionalLong;

/// Which messages a policy looks at, and how much of one is held.
///
/// @param maxBody bytes, once unpacked
public record MessageScope(MessageSide on, MediaRanges types, long maxBody) {
    private static final long LEAST = 1024;
    private static final long USUAL = 1 << 20;
    private static final long LARGEST = 16 << 20;

    /// @param usual media types, where the definition says none
    public static MessageScope read(ConfigNode node, List<String> usual) {
        return new MessageScope(
                node.field("on", "which messages").choice(MessageSide.REQUEST),
                MediaRanges.read(
                        node.field(
                                "contentTypes",
                                "of the messages that are looked at; `text/*` and `*/*+xml` stand for many"),
                        usual),
                maxBody(node));
    }

    /// The same for a policy that says by other fields which messages it takes.
    public static long maxBody(ConfigNode node) {
        return node.field("maxBody", "most bytes of a body, once unpacked").size(LEAST, LARGEST, USUAL);
    }

    /// Those that are looked at, held plain.
    public BodyUse bodyUse() {
        BodyAccess held = BodyAccess.plain(maxBody).only(this::takes);
        return new BodyUse(on.ofRequests() ? held : BodyAccess.NONE, on.ofResponses() ? held : BodyAccess.NONE);
    }

    private boolean takes(Headers fields, OptionalLong length) {
        return types.include(fields);
    }
}
