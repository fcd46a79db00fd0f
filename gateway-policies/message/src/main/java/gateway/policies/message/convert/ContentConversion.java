package gateway.policies.message.convert;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.MessageChange;
import gateway.policies.message.json.JsonBodies;
import gateway.policies.message.xml.XmlContent;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;

/// Converts the content of messages.
record ContentConversion(Convert policy) implements MessageChange {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String JSON = "application/json";
    private static final String XML = "application/xml; charset=utf-8";
    private static final int TREE = 10; // bytes of both trees for each of XML, about
    private static final int FAILED = 400;

    @Override
    public Optional<Problem> changeRequest(HeldBody body, Exchange exchange) {
        Headers fields = exchange.headers();
        try {
            switch (policy.request()) {
                case JSON_TO_XML -> {
                    exchange.outgoing().replaceBody(xml(json(body, fields)));
                    fields.set(CONTENT_TYPE, XML);
                    policy.soap().ifPresent(soap -> soap.tell(fields, exchange));
                }
                case XML_TO_JSON -> {
                    exchange.outgoing().replaceBody(json(top(document(body, fields))));
                    fields.set(CONTENT_TYPE, JSON);
                    policy.soap().ifPresent(_ -> SoapWrapping.untell(fields));
                }
                case NONE -> {}
            }
            return Optional.empty();
        } catch (InconvertibleException e) {
            return Optional.of(e.problem());
        }
    }

    @Override
    public Response changeAnswer(HeldBody body, Response answer, Exchange exchange) {
        try {
            return switch (policy.response()) {
                case JSON_TO_XML -> toXml(json(body, answer.headers()), answer);
                case XML_TO_JSON -> toJson(top(document(body, answer.headers())), answer, exchange);
                case NONE -> answer;
            };
        } catch (InconvertibleException e) {
            return ContentGuard.ofAnswer(e.problem()).toResponse(exchange.requestId());
        }
    }

    private Response toXml(JsonNode json, Response answer) {
        if (policy.soap().isEmpty()) return answer.withBody(xml(json)).with(CONTENT_TYPE, XML);
        SoapWrapping soap = policy.soap().get();
        if (answer.status() < FAILED) return answer.withBody(xml(json)).with(CONTENT_TYPE, soap.contentType());
        var text = new XmlWriting(policy.mostBytes());
        String reason = json.path("detail").stringValue(json.path("title").stringValue("HTTP " + answer.status()));
        int status = soap.fault(answer.status(), XmlWriting.isWritable(reason) ? reason : "", text);
        return answer.withBody(Body.of(text.bytes())).withStatus(status).with(CONTENT_TYPE, soap.contentType());
    }

    private Response toJson(Optional<Element> top, Response answer, Exchange exchange) {
        Optional<Problem> fault = policy.soap().flatMap(soap -> top.flatMap(soap::problem));
        if (fault.isPresent()) return fault.get().toResponse(exchange.requestId());
        return answer.withBody(json(top)).with(CONTENT_TYPE, JSON);
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
        body.holdMore((long) TREE * body.plain().length);
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

    private Body json(Optional<Element> top) {
        JsonNode json = top.map(each -> JsonFromXml.of(each, policy.mapping()))
                .orElseGet(() -> Json.mapper().createObjectNode());
        byte[] bytes = Json.compact(json).getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= policy.mostBytes()) return Body.of(bytes);
        throw new InconvertibleException("", "it would become more than " + policy.mostBytes() + " bytes");
    }

    private Body xml(JsonNode json) {
        var text = new XmlWriting(policy.mostBytes());
        policy.soap().ifPresent(soap -> soap.open(text));
        XmlFromJson.write(json, policy.mapping(), text);
        policy.soap().ifPresent(soap -> soap.close(text));
        return Body.of(text.bytes());
    }
}
