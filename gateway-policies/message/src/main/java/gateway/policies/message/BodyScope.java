package gateway.policies.message;

import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Which bodies a policy works on, and how much of one it may hold.
///
/// @param types of the bodies; the others pass, or are refused
/// @param refusesOthers whether they are refused
/// @param most bytes, as sent and once unpacked
/// @param required whether a request without content is refused
public record BodyScope(
        Messages messages, List<MediaRange> types, boolean refusesOthers, long most, boolean required) {
    /// Which messages are worked on.
    public enum Messages {
        REQUEST,
        RESPONSE,
        BOTH
    }

    /// What becomes of bodies of other types.
    enum Others {
        PASS,
        REFUSE
    }

    private static final long LEAST = 1 << 10;
    private static final long USUAL = 1 << 20;
    private static final long LARGEST = 16 << 20;
    private static final int MOST_TYPES = 100;

    public BodyScope {
        types = List.copyOf(types);
    }

    /// Reads `on`, `contentTypes` and `maxBody`.
    ///
    /// @param usual content types, unless the definition names others
    public static BodyScope read(ConfigNode node, List<String> usual) {
        return read(node, usual, false, false);
    }

    /// The same with `otherTypes` and `required`, for policies that refuse.
    public static BodyScope readOfGuard(ConfigNode node, List<String> usual) {
        Others others = node.field("otherTypes", "what becomes of messages whose type is not in `contentTypes`")
                .choice(Others.PASS);
        boolean required = node.field("required", "whether a request without content is refused")
                .bool(false);
        return read(node, usual, others == Others.REFUSE, required);
    }

    private static BodyScope read(ConfigNode node, List<String> usual, boolean refusesOthers, boolean required) {
        Messages messages = node.field("on", "which messages").choice(Messages.REQUEST);
        ConfigNode types = node.field("contentTypes", "of messages that are looked at")
                .form("media types such as `application/json`, `text/*`, `*/*+json`")
                .unlessGiven("`" + String.join("`, `", usual) + "`");
        List<MediaRange> named = types.list(MediaRange::read);
        if (types.isPresent() && (named.isEmpty() || named.size() > MOST_TYPES))
            types.problem("expected 1 to " + MOST_TYPES + " media types, got " + named.size());
        long most = node.field("maxBody", "most of a body that is held, as sent and once unpacked")
                .size(LEAST, LARGEST, USUAL);
        return new BodyScope(
                messages,
                named.isEmpty() ? usual.stream().map(MediaRange::of).toList() : named,
                refusesOthers,
                most,
                required);
    }

    public boolean ofRequests() {
        return messages != Messages.RESPONSE;
    }

    public boolean ofResponses() {
        return messages != Messages.REQUEST;
    }

    /// What is held: bodies of its types, in plain.
    public BodyUse use() {
        return use(BodyAccess.plain(most).only((fields, _) -> covers(fields)));
    }

    /// The same of all types.
    public BodyUse useOfAll() {
        return use(BodyAccess.plain(most));
    }

    private BodyUse use(BodyAccess access) {
        return new BodyUse(
                ofRequests() ? access : BodyAccess.NONE, ofResponses() ? access : BodyAccess.NONE);
    }

    /// Whether a message with these fields has a body of its types.
    public boolean covers(Headers fields) {
        Optional<String> type = fields.first("Content-Type");
        if (type.isEmpty()) return false;
        String essence = essence(type.get());
        for (MediaRange each : types) if (each.covers(essence)) return true;
        return false;
    }

    /// What a policy does with a request.
    public sealed interface Found {
        /// Its body is looked at.
        record Content(HeldBody body) implements Found {}

        /// There is nothing to look at.
        record Nothing() implements Found {}

        /// It may not pass unseen.
        record Refused(BodyFlaw flaw) implements Found {}
    }

    private static final Found NOTHING = new Found.Nothing();

    /// What there is to look at of a request.
    public Found of(Exchange exchange) {
        Headers fields = exchange.headers();
        Optional<HeldBody> held = exchange.held();
        boolean empty = held.isPresent()
                ? held.get().content().length == 0
                : exchange.outgoing().body().length().orElse(1) == 0;
        if (empty) return required ? new Found.Refused(BodyFlaw.MISSING) : NOTHING;
        return found(fields, held);
    }

    /// What there is to look at of an answer: nothing of those that the gateway made itself to refuse.
    public Found of(Exchange exchange, Response answer) {
        if (!answer.reason().isEmpty() || !answer.mayHaveContent(exchange.method()) || answer.status() == 206)
            return NOTHING;
        Optional<HeldBody> held = answer.held();
        boolean empty = held.isPresent()
                ? held.get().content().length == 0
                : answer.body().length().orElse(1) == 0;
        return empty ? NOTHING : found(answer.headers(), held);
    }

    private Found found(Headers fields, Optional<HeldBody> held) {
        if (!covers(fields)) return refusesOthers ? new Found.Refused(BodyFlaw.TYPE) : NOTHING;
        if (held.isEmpty() || !held.get().isPlain()) return new Found.Refused(BodyFlaw.STREAM);
        if (!isUtf8(fields)) return new Found.Refused(BodyFlaw.CHARSET);
        return new Found.Content(held.get());
    }

    /// Whether no `charset` says that it is read otherwise than here.
    private static boolean isUtf8(Headers fields) {
        String type = fields.first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        int at = type.indexOf("charset");
        if (at < 0) return true;
        String rest = type.substring(at + "charset".length()).strip();
        if (!rest.startsWith("=")) return false;
        String name = rest.substring(1).split(";", 2)[0].replace("\"", "").strip();
        return rest.indexOf("charset") < 0 && (name.equals("utf-8") || name.equals("utf8") || name.equals("us-ascii"));
    }

    private static String essence(String type) {
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /// What a body that is not what it says is refused for.
    public static BodyFlaw flaw(BodyRefusedException why) {
        return BodyFlaw.malformed(String.valueOf(why.getMessage()));
    }
}
