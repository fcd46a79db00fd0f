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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Bounds the shape of JSON, XML and forms before anybody builds something of it: how deep, how wide, how long.
///
/// @param xml empty: XML is of another type
/// @param parts empty: forms in several parts are
public record ContentLimits(ContentRules rules, JsonLimits json, Optional<XmlLimits> xml, Optional<PartLimits> parts)
        implements PolicySpec {
    private static final MediaRanges XML = new MediaRanges(XmlContent.TYPES);
    private static final MediaRanges FORM = new MediaRanges(List.of(PartLimitsCheck.TYPE));

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var tokens = new LimitedTokens(json);
        Optional<XmlLimitsCheck> ofXml = xml.map(XmlLimitsCheck::new);
        ContentCheck check = ofJson(tokens);
        if (ofXml.isPresent()) check = either(XML, ofXml.get(), check);
        if (parts.isPresent()) check = either(FORM, new PartLimitsCheck(parts.get(), tokens, ofXml), check);
        return new ContentGuard(rules, check, new SizedWork(services.workers(), JsonBodies.SMALL));
    }

    private static ContentCheck ofJson(LimitedTokens tokens) {
        return (body, fields, _) ->
                JsonBodies.isUtf8(fields) ? tokens.flaw(body.plain()) : Optional.of(JsonBodies.otherCharset());
    }

    private static ContentCheck either(MediaRanges types, ContentCheck those, ContentCheck others) {
        return (body, fields, answer) -> (types.include(fields) ? those : others).check(body, fields, answer);
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
            JsonLimits json =
                    JsonLimits.read(node.field("json", "bounds of JSON").unlessGiven("those below"));
            ConfigNode bounds = node.field("xml", "bounds of XML, which is looked at beside JSON then")
                    .unlessGiven("XML is of another type");
            Optional<XmlLimits> xml = bounds.isPresent() ? Optional.of(XmlLimits.read(bounds)) : Optional.empty();
            ConfigNode form = node.field("parts", "bounds of `multipart/form-data`, which is looked at besides then")
                    .unlessGiven("such forms are of another type");
            Optional<PartLimits> parts = form.isPresent() ? Optional.of(PartLimits.read(form)) : Optional.empty();
            var types = new ArrayList<>(JsonBodies.TYPES);
            if (xml.isPresent()) types.addAll(XmlContent.TYPES);
            if (parts.isPresent()) types.add(PartLimitsCheck.TYPE);
            return new ContentLimits(ContentRules.read(node, types), json, xml, parts);
        }
    }
}
