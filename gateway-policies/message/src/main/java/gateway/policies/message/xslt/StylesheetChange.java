package gateway.policies.message.xslt;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.policies.message.ContentChange.Made;
import gateway.policies.message.ContentChange.Maker;
import gateway.policies.message.SizedWork;
import gateway.policies.message.xml.XmlContent;
import java.util.Optional;

/// Puts what a stylesheet makes of messages in their place.
record StylesheetChange(Xslt policy, Stylesheet stylesheet, StylesheetMessages messages, SizedWork work)
        implements Maker {
    @Override
    public Optional<Made> ofRequest(Exchange exchange) {
        return made(exchange.headers(), exchange.outgoing().body(), exchange);
    }

    @Override
    public Optional<Made> ofAnswer(Response response, Exchange exchange) {
        return made(response.headers(), response.body(), exchange);
    }

    private Optional<Made> made(Headers fields, Body body, Exchange exchange) {
        return policy.scope()
                .types()
                .content(fields, body)
                .map(held -> work.on(held, exchange, () -> made(held, fields, exchange)));
    }

    private Made made(HeldBody body, Headers fields, Exchange exchange) {
        XmlContent content = XmlContent.of(body, fields);
        Optional<Problem> flaw = content.flaw();
        if (flaw.isPresent()) return new Made.Refused(flaw.get());
        Made made = new Transformation(policy, stylesheet.compiled(), messages).of(content, body, exchange);
        if (made instanceof Made.Content(var result, var _) && result.equals(Body.EMPTY)) fields.remove("Content-Type");
        return made;
    }
}
