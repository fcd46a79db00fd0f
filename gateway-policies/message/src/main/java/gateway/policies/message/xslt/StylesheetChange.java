package gateway.policies.message.xslt;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.MessageChange;
import gateway.policies.message.xml.XmlContent;
import java.util.Optional;

/// Puts what a stylesheet makes of messages in their place.
record StylesheetChange(Xslt policy, Stylesheet stylesheet, StylesheetMessages messages) implements MessageChange {
    private static final String CONTENT_TYPE = "Content-Type";

    @Override
    public Optional<Problem> changeRequest(HeldBody body, Exchange exchange) {
        return switch (transformed(body, exchange.headers(), exchange)) {
            case Transformed.Made(var content, var type) -> {
                exchange.outgoing().replaceBody(content);
                tell(type, content, exchange.headers());
                yield Optional.empty();
            }
            case Transformed.Refused(var problem) -> Optional.of(problem);
            case Transformed.Failed(var problem) -> Optional.of(problem);
        };
    }

    @Override
    public Response changeAnswer(HeldBody body, Response answer, Exchange exchange) {
        return switch (transformed(body, answer.headers(), exchange)) {
            case Transformed.Made(var content, var type) -> {
                tell(type, content, answer.headers());
                yield answer.withBody(content);
            }
            case Transformed.Refused(var problem) ->
                ContentGuard.ofAnswer(problem).toResponse(exchange.requestId());
            case Transformed.Failed(var problem) -> problem.toResponse(exchange.requestId());
        };
    }

    private Transformed transformed(HeldBody body, Headers fields, Exchange exchange) {
        XmlContent content = XmlContent.of(body, fields);
        Optional<Problem> flaw = content.flaw();
        if (flaw.isPresent()) return new Transformed.Refused(flaw.get());
        return new Transformation(policy, stylesheet.compiled(), messages).of(content, body, exchange);
    }

    private static void tell(String type, Body content, Headers fields) {
        if (content.equals(Body.EMPTY)) fields.remove(CONTENT_TYPE);
        else fields.set(CONTENT_TYPE, type);
    }
}
