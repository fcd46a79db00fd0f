package gateway.policies.message.xslt;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.json.TextCut;
import gateway.policies.message.BoundedOutput;
import gateway.policies.message.ContentChange.Made;
import gateway.policies.message.xml.XmlContent;
import gateway.policies.message.xslt.LongRows.TooComplexException;
import gateway.policy.Template;
import gateway.xml.BadXmlException;
import gateway.xml.Xml;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.xml.transform.sax.SAXSource;
import net.sf.saxon.s9api.ItemType;
import net.sf.saxon.s9api.Message;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.Serializer;
import net.sf.saxon.s9api.XdmAtomicValue;
import net.sf.saxon.s9api.Xslt30Transformer;

/// One message transformed.
///
/// @param messages where the stylesheet's own go
record Transformation(Xslt policy, CompiledStylesheet compiled, StylesheetMessages messages) {
    private static final int TREE = 6; // bytes of a tree for each of XML, about
    private static final int DEEPEST_CAUSE = 10;

    Made of(XmlContent content, HeldBody body, Exchange exchange) {
        body.memory().hold((long) TREE * body.plain().length);
        var budget = new TransformBudget(policy.timeout(), policy.memory());
        var output = new BoundedOutput(policy.mostBytes(), _ -> {});
        var namespaces = new MessageNamespaces();
        try (namespaces) {
            OutputType type = ScopedValue.where(TransformBudget.CURRENT, budget)
                    .where(MessageNamespaces.CURRENT, namespaces)
                    .call(() -> transform(content, parameters(exchange), output));
            byte[] made = output.bytes();
            return new Made.Content(Body.of(made), made.length == 0 ? "" : type.of(made));
        } catch (SaxonApiException e) {
            return Optional.ofNullable(e.getTerminatingXsltMessage())
                    .map(message -> (Made) new Made.Refused(terminated(message)))
                    .orElseGet(() -> ended(e, budget, namespaces, output, exchange, told(e)));
        } catch (RuntimeException e) {
            return ended(e, budget, namespaces, output, exchange, e.getClass().getSimpleName());
        } catch (StackOverflowError | BootstrapMethodError e) { // the JDK links a call where no stack is left
            return failed("it calls itself too deeply", exchange);
        } catch (OutOfMemoryError e) { // of this transformation, as far as anybody can tell
            return failed("it takes more memory than there is", exchange);
        }
    }

    private OutputType transform(XmlContent content, Map<QName, XdmAtomicValue> parameters, BoundedOutput output)
            throws SaxonApiException {
        Xslt30Transformer transformer = compiled.executable().load30();
        transformer.setStylesheetParameters(parameters);
        transformer.setErrorReporter(_ -> {});
        transformer.setTraceFunctionDestination(null);
        transformer.setMessageHandler(message -> {
            if (!message.isTerminate()) messages.say(message.getStringValue());
        });
        Serializer serializer = transformer.newSerializer(output);
        OutputType type = OutputType.of(policy.output(), serializer);
        var reader = new MessageGate(Xml.reader(), MessageNamespaces.CURRENT.get(), TransformBudget.CURRENT.get());
        transformer.transform(new SAXSource(reader, content.source()), serializer);
        return type;
    }

    /// As text without a type: where the stylesheet declares one, it is made that.
    private Map<QName, XdmAtomicValue> parameters(Exchange exchange) throws SaxonApiException {
        var parameters = new HashMap<QName, XdmAtomicValue>();
        for (Map.Entry<String, Template> each : policy.parameters().entrySet()) {
            String value = readable(each.getValue().render(exchange));
            parameters.put(new QName(each.getKey()), new XdmAtomicValue(value, ItemType.UNTYPED_ATOMIC));
        }
        return parameters;
    }

    /// With U+FFFD for each character that XML does not have.
    private static String readable(String value) {
        var readable = new StringBuilder(value.length());
        value.codePoints().forEach(c -> {
            boolean known = c >= ' ' || c == '\t' || c == '\n' || c == '\r';
            boolean lone = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            readable.appendCodePoint(known && !lone && c != 0xfffe && c != 0xffff ? c : 0xfffd);
        });
        return readable.toString();
    }

    private Made ended(
            Exception e,
            TransformBudget budget,
            MessageNamespaces namespaces,
            BoundedOutput output,
            Exchange exchange,
            String told) {
        switch (budget.spent()) {
            case TIME -> {
                return failed("it took longer than " + policy.timeout().toMillis() + " ms", exchange);
            }
            case MEMORY -> {
                return failed("it takes more than " + policy.memory() + " bytes of memory", exchange);
            }
            case NOTHING -> {}
        }
        if (output.isFull()) return failed("its result is larger than " + policy.mostBytes() + " bytes", exchange);
        String excess = namespaces.excess();
        if (!excess.isEmpty()) return new Made.Refused(XmlContent.tooComplex(excess));
        Throwable cause = e;
        for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
            if (cause instanceof BadXmlException bad) return new Made.Refused(XmlContent.refusal(bad));
            if (cause instanceof TooComplexException much) return new Made.Refused(XmlContent.tooComplex(much.what()));
            cause = cause.getCause();
        }
        return failed(told, exchange);
    }

    /// Never its message, which may hold values of what is transformed.
    private static String told(SaxonApiException e) {
        QName code = e.getErrorCode();
        String what = code == null ? "without a code" : code.getLocalName();
        return e.getLineNumber() < 1 ? what : what + " at line " + e.getLineNumber();
    }

    /// The message is not at fault, whichever it is.
    private Made failed(String why, Exchange exchange) {
        messages.failed(why);
        Problem problem = Problem.of("policy-failed", 500, "Policy failed", "The stylesheet failed: " + why);
        return new Made.Instead(problem.toResponse(exchange.requestId()));
    }

    private static Problem terminated(Message message) {
        return Problem.of(
                "invalid-content",
                422,
                "Invalid content",
                TextCut.told(message.getStringValue(), StylesheetMessages.LONGEST));
    }
}
