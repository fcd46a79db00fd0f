package gateway.policies.message.json;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.message.ContentCheck;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.ContentRules;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.SizedWork;
import gateway.policies.message.xml.XmlContent;
import gateway.policies.message.xml.XmlLimits;
import gateway.policies.message.xml.XmlLimitsCheck;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Bounds the shape of JSON and XML before anybody builds something of it: how deep, how wide, how long.
///
/// @param xml empty: only JSON is looked at
public record ContentLimits(ContentRules rules, JsonLimits json, Optional<XmlLimits> xml) implements PolicySpec {
    private static final MediaRanges XML = new MediaRanges(XmlContent.TYPES);

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        ContentCheck check = xml.<ContentCheck>map(limits -> of(new XmlLimitsCheck(limits), ofJson()))
                .orElseGet(this::ofJson);
        return new ContentGuard(rules, check, new SizedWork(services.workers(), JsonBodies.SMALL));
    }

    private ContentCheck ofJson() {
        var tokens = new LimitedTokens(json);
        return (body, fields, _) ->
                JsonBodies.isUtf8(fields) ? tokens.flaw(body.plain()) : Optional.of(JsonBodies.otherCharset());
    }

    private static ContentCheck of(ContentCheck xml, ContentCheck json) {
        return (body, fields, answer) -> (XML.include(fields) ? xml : json).check(body, fields, answer);
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
        private static final List<String> JSON_AND_XML = Stream.of(JsonBodies.TYPES, XmlContent.TYPES)
                .flatMap(List::stream)
                .toList();

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
            JsonLimits json =
                    JsonLimits.read(node.field("json", "bounds of JSON").unlessGiven("those below"));
            ConfigNode bounds = node.field("xml", "bounds of XML, which is looked at beside JSON then")
                    .unlessGiven("XML is of another type");
            Optional<XmlLimits> xml = bounds.isPresent() ? Optional.of(XmlLimits.read(bounds)) : Optional.empty();
            List<String> types = xml.isPresent() ? JSON_AND_XML : JsonBodies.TYPES;
            return new ContentLimits(ContentRules.read(node, types), json, xml);
        }
    }
}
