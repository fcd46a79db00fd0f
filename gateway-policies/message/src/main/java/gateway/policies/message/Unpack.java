package gateway.policies.message;

import com.google.auto.service.AutoService;
import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policies.message.ContentChange.Made;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.Optional;

/// Gives the upstream plain what clients have packed.
///
/// @param maxBody bytes, once unpacked
public record Unpack(long maxBody) implements PolicySpec {
    private static final String CODING = "Content-Encoding";

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        return new ContentChange(MessageSide.REQUEST, MediaRanges.NONE, new Unpacking());
    }

    /// The pipeline undoes codings where it holds bodies.
    @Override
    public BodyUse bodyUse() {
        return BodyUse.ofRequests(BodyAccess.plain(maxBody).only((fields, _) -> fields.contains(CODING)));
    }

    private record Unpacking() implements ContentChange.Maker {
        @Override
        public Optional<Made> ofRequest(Exchange exchange) {
            if (!exchange.headers().contains(CODING)) return Optional.empty();
            boolean empty = exchange.outgoing().body().length().orElse(1) == 0;
            if (empty) return Optional.of(new Made.Content(Body.EMPTY, "")); // nothing is packed in no way
            return exchange.held().filter(HeldBody::isPlain).map(held -> new Made.Content(Body.of(held.plain()), ""));
        }

        @Override
        public Optional<Made> ofAnswer(Response response, Exchange exchange) {
            return Optional.empty();
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "unpack";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public Unpack read(ConfigNode node) {
            return new Unpack(MessageScope.maxBody(node));
        }
    }
}
