package gateway.policies.message.json;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.message.BodyGuard;
import gateway.policies.message.BodyScope;
import gateway.policies.message.BodyWork;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.List;

/// Bounds the shape of JSON before anybody builds something of it: how deep, how wide, how long.
public record ContentLimits(BodyScope scope, JsonLimits json) implements PolicySpec {
    static final List<String> JSON_TYPES = List.of("application/json", "*/*+json");

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var work = BodyWork.of(placement.api(), services);
        var tokens = new LimitedTokens(json);
        return new BodyGuard(
                placement.step(), scope, (_, body) -> work.on(body, () -> tokens.flaw(body.plain())));
    }

    @Override
    public BodyUse bodyUse() {
        return scope.use();
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "content-limits";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public ContentLimits read(ConfigNode node) {
            return new ContentLimits(
                    BodyScope.readOfGuard(node, JSON_TYPES),
                    JsonLimits.read(node.field("json", "bounds of JSON").unlessGiven("those below")));
        }
    }
}
