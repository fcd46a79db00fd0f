package gateway.policies.message.json;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.message.ContentCheck;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.ContentRules;
import gateway.policies.message.SizedWork;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.Optional;

/// Bounds the shape of JSON before anybody builds something of it: how deep, how wide, how long.
public record ContentLimits(ContentRules rules, JsonLimits json) implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var tokens = new LimitedTokens(json);
        ContentCheck check = (body, fields, _) ->
                JsonBodies.isUtf8(fields) ? tokens.flaw(body.plain()) : Optional.of(JsonBodies.otherCharset());
        return new ContentGuard(rules, check, new SizedWork(services.workers(), JsonBodies.SMALL));
    }

    @Override
    public BodyUse bodyUse() {
        return rules.scope().bodyUse();
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
                    ContentRules.read(node, JsonBodies.TYPES),
                    JsonLimits.read(node.field("json", "bounds of JSON").unlessGiven("those below")));
        }
    }
}
