package gateway.policies.message.convert;

import gateway.http.Body;
import gateway.http.BodyMemory;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.message.BoundedOutput;
import gateway.policies.message.ContentChange.Made;
import gateway.policies.message.ContentChange.Maker;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.OtherTypes;
import gateway.policies.message.SizedWork;
import gateway.policies.message.json.JsonBodies;
import gateway.policies.message.xml.XmlContent;
import gateway.policies.message.xml.XmlEscapes;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.util.Optional;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Converts the content of messages.
record ContentConversion(Convert policy, SizedWork work) implements Maker {
    private static final String JSON = "application/json";
    private static final String XML = "application/xml; charset=utf-8";
    private static final int TREE = 10; // bytes of both trees for each of XML, about
    private static final int FAILED = 400;

    @Override
    public Optional<Made> ofRequest(Exchange exchange) {
        Body body = exchange.outgoing().body();
        if (policy.required() && isEmpty(body)) return Optional.of(new Made.Refused(ContentGuard.missing()));
        return policy.request()
                .from()
                .content(exchange.headers(), body)
                .map(held -> work.on(held, exchange, () -> ofRequest(held, exchange)))
                .or(() -> otherwise(body));
    }

    @Override
    public Optional<Made> ofAnswer(Response response, Exchange exchange) {
        return policy.response()
                .from()
                .content(response.headers(), response.body())
                .map(held -> work.on(held, exchange, () -> ofAnswer(held, response, exchange)))
                .or(() -> otherwise(response.body()));
    }

    /// What becomes of a message that cannot be converted.
    private Optional<Made> otherwise(Body body) {
        boolean passes = policy.others() == OtherTypes.PASS || isEmpty(body);
        return passes ? Optional.empty() : Optional.of(new Made.Refused(ContentGuard.otherType()));
    }

    private static boolean isEmpty(Body body) {
        return body.length().orElse(1) == 0;
    }

    private Made ofRequest(HeldBody body, Exchange exchange) {
        Headers fields = exchange.headers();
        try {
            if (policy.request() == Conversion.JSON_TO_XML) {
                Body xml = xml(json(body, fields), policy.mapping(), body.memory());
                String type =
                        policy.soap().map(soap -> soap.tell(fields, exchange)).orElse(XML);
                return new Made.Content(xml, type);
            }
            Optional<Element> top = top(document(body, fields));
            top.ifPresent(policy.mapping()::requireRoot);
            Body json = json(top, policy.mapping(), body.memory());
            policy.soap().ifPresent(_ -> SoapWrapping.untell(fields));
            return new Made.Content(json, JSON);
        } catch (InconvertibleException e) {
            return new Made.Refused(e.problem());
        }
    }

    private Made ofAnswer(HeldBody body, Response answer, Exchange exchange) {
        try {
            return policy.response() == Conversion.JSON_TO_XML
                    ? toXml(json(body, answer.headers()), answer, body.memory())
                    : toJson(top(document(body, answer.headers())), answer, exchange, body.memory());
        } catch (InconvertibleException e) {
            return new Made.Refused(e.problem());
        }
    }

    private Made toXml(JsonNode json, Response answer, BodyMemory memory) {
        JsonMapping mapping = policy.answers();
        if (policy.soap().isEmpty()) return new Made.Content(xml(json, mapping, memory), XML);
        SoapWrapping soap = policy.soap().get();
        if (answer.status() < FAILED) return new Made.Content(xml(json, mapping, memory), soap.contentType());
        var text = new XmlWriting(policy.mostBytes(), memory);
        String reason = json.path("detail").stringValue(json.path("title").stringValue("HTTP " + answer.status()));
        int status = soap.fault(answer.status(), XmlEscapes.isWritable(reason) ? reason : "", text);
        return new Made.Instead(
                answer.withBody(Body.of(text.bytes())).withStatus(status).with("Content-Type", soap.contentType()));
    }

    private Made toJson(Optional<Element> top, Response answer, Exchange exchange, BodyMemory memory) {
        Optional<Problem> fault = policy.soap().flatMap(soap -> top.flatMap(soap::problem));
        if (fault.isPresent()) return new Made.Instead(fault.get().toResponse(exchange.requestId()));
        if (answer.status() < FAILED) top.ifPresent(policy.answers()::requireRoot); // what tells errors has its own
        return new Made.Content(json(top, policy.answers(), memory), JSON);
    }

    private static JsonNode json(HeldBody body, Headers fields) {
        Optional<Problem> flaw = JsonBodies.check(body, fields, _ -> Optional.empty());
        if (flaw.isPresent()) throw new InconvertibleException(flaw.get());
        return body.json();
    }

    private static Document document(HeldBody body, Headers fields) {
        XmlContent content = XmlContent.of(body, fields);
        Optional<Problem> flaw = content.flaw();
        if (flaw.isPresent()) throw new InconvertibleException(flaw.get());
        body.memory().hold((long) TREE * body.plain().length);
        try {
            return Xml.document(content.source());
        } catch (BadXmlException e) {
            throw new InconvertibleException(XmlContent.refusal(e));
        }
    }

    private Optional<Element> top(Document document) {
        Element top = document.getDocumentElement();
        return policy.soap().map(soap -> soap.content(top)).orElseGet(() -> Optional.of(top));
    }

    private Body json(Optional<Element> top, JsonMapping mapping, BodyMemory memory) {
        JsonNode json = top.map(each -> JsonFromXml.of(each, mapping))
                .orElseGet(() -> Json.mapper().createObjectNode());
        var output = new BoundedOutput(policy.mostBytes(), memory);
        try {
            Json.mapper().writeValue(output, json);
        } catch (JacksonException e) {
            if (!output.isFull()) throw e;
            throw new InconvertibleException("", "it would become more than " + policy.mostBytes() + " bytes");
        }
        return Body.of(output.bytes());
    }

    private Body xml(JsonNode json, JsonMapping mapping, BodyMemory memory) {
        var text = new XmlWriting(policy.mostBytes(), memory);
        policy.soap().ifPresent(soap -> soap.open(text));
        XmlFromJson.write(json, mapping, text);
        policy.soap().ifPresent(soap -> soap.close(text));
        return Body.of(text.bytes());
    }
}
