package gateway.policies.message.convert;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.policies.message.ContentChange;
import gateway.policies.message.MessageScope;
import gateway.policies.message.MessageSide;
import gateway.policies.message.OtherTypes;
import gateway.policies.message.SizedWork;
import gateway.policies.message.xml.Soap;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import java.util.List;
import java.util.Optional;

/// Makes XML of JSON and JSON of XML, and puts it into envelopes of SOAP or takes it out of them.
///
/// @param request what becomes of requests
/// @param response what becomes of answers
/// @param mapping of requests
/// @param answers likewise of answers
/// @param soap empty: there are no envelopes
/// @param others what becomes of content of types that are not converted
/// @param required whether requests without content are refused
/// @param maxBody most bytes of a body that is converted
/// @param mostBytes of what comes of it
public record Convert(
        Conversion request,
        Conversion response,
        JsonMapping mapping,
        JsonMapping answers,
        Optional<SoapWrapping> soap,
        OtherTypes others,
        boolean required,
        long maxBody,
        long mostBytes)
        implements PolicySpec {
    private static final long AT_ONCE = 1024; // bytes, converted on the request's own thread

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var work = new SizedWork(services.workers(), AT_ONCE);
        var change = new ContentChange(side(), request.from(), response.from(), new ContentConversion(this, work));
        if (response == Conversion.NONE) return change;
        String accept = response.accepted();
        return exchange -> {
            exchange.headers().set("Accept", accept);
            return change.apply(exchange);
        };
    }

    private MessageSide side() {
        if (response == Conversion.NONE) return MessageSide.REQUEST;
        return request == Conversion.NONE ? MessageSide.RESPONSE : MessageSide.BOTH;
    }

    @Override
    public BodyUse bodyUse() {
        return new BodyUse(access(request), access(response));
    }

    private BodyAccess access(Conversion conversion) {
        if (conversion == Conversion.NONE) return BodyAccess.NONE;
        return BodyAccess.plain(maxBody).only((fields, _) -> conversion.from().include(fields));
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // its time is told, though a small body is no matter for a worker
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final String SOME = """
                {"not": {"properties": {"request": {"enum": ["none", null]}, "response": {"enum": ["none", null]}}}}""";

        /// The style has no name for the top element.
        private static final String ROOT_OF_PARKER = """
                {"if": {"required": ["style"], "properties": {"style": {"const": "parker"}},
                  "anyOf": [{"required": ["request"], "properties": {"request": {"const": "json-to-xml"}}},
                   {"required": ["response"], "properties": {"response": {"const": "json-to-xml"}}}]},
                 "then": {"required": ["root"], "properties": {"root": {"type": "string", "minLength": 1}}}}""";

        @Override
        public String name() {
            return "convert";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public Convert read(ConfigNode node) {
            Conversion request =
                    node.field("request", "what becomes of requests").choice(Conversion.NONE);
            Conversion response =
                    node.field("response", "what becomes of answers").choice(Conversion.NONE);
            JsonMapping mapping = JsonMapping.read(node);
            JsonMapping answers = mapping.ofAnswers(node, request == Conversion.NONE);
            boolean toXml = request == Conversion.JSON_TO_XML || response == Conversion.JSON_TO_XML;
            node.obeys(SOME).obeys(ROOT_OF_PARKER).beside("soap", "action");
            if (request == Conversion.NONE && response == Conversion.NONE) {
                node.problem("expected request, response or both, got neither");
            }
            if (toXml && mapping.style() == JsonStyle.PARKER && mapping.root().isEmpty()) {
                node.problem("expected root, since the style has no name for the top element");
            }
            return new Convert(
                    request,
                    response,
                    mapping,
                    answers,
                    soap(node),
                    node.field("otherTypes", "`refuse`: 415 for content of types that are not converted")
                            .choice(OtherTypes.PASS),
                    node.field("required", "refuse requests without content").bool(false),
                    MessageScope.maxBody(node),
                    node.field("maxOutput", "most bytes of what comes of it").size(1024, 16 << 20, 4 << 20));
        }

        private static Optional<SoapWrapping> soap(ConfigNode node) {
            ConfigNode version = node.field("soap", "puts XML into envelopes of this version and takes it out of them")
                    .only(List.of("1.1", "1.2"));
            ConfigNode action = node.field("action", "`SOAPAction` of requests, with placeholders")
                    .form("text with placeholders");
            if (!version.isPresent()) {
                if (action.isPresent()) action.problem("expected \"soap\" beside it");
                return Optional.empty();
            }
            String said = version.text();
            if (!said.equals("1.1") && !said.equals("1.2")) {
                version.problem("expected \"1.1\" or \"1.2\", got \"" + said + '"');
            }
            Template template = action.isPresent()
                    ? Template.read(action, TemplatePlace.HEADER)
                    : Template.read("", action, TemplatePlace.HEADER);
            return Optional.of(new SoapWrapping(said.equals("1.2") ? Soap.SOAP12 : Soap.SOAP11, template));
        }
    }
}
