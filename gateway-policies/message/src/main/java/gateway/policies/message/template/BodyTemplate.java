package gateway.policies.message.template;

import com.google.auto.service.AutoService;
import gateway.config.ResourceReader;
import gateway.http.Body;
import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.json.JsonSchema;
import gateway.policies.message.BoundReachedException;
import gateway.policies.message.ContentChange;
import gateway.policies.message.ContentChange.Made;
import gateway.policies.message.MessageScope;
import gateway.policies.message.SizedWork;
import gateway.policies.message.json.JsonBodies;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.service.ResourceReference;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Sends a body made of values in the place of that of messages.
///
/// @param text empty where the template is a resource
/// @param mostBytes of what comes of it
public record BodyTemplate(
        MessageScope scope, String contentType, String text, Optional<ResourceReference> resource, long mostBytes)
        implements PolicySpec {
    private static final int LONGEST = 256 << 10;

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        String template = resource.map(each -> services.resource(each).text()).orElse(text);
        TemplateScan scan = TemplateScan.of(template, kind());
        if (template.length() > LONGEST)
            throw new InvalidConfigException("/template", "expected at most " + LONGEST + " characters");
        if (!scan.problems().isEmpty())
            throw new InvalidConfigException(scan.problems().stream()
                    .map(each -> new ConfigProblem("/template", each))
                    .toList());
        var compiled = CompiledTemplate.of(scan, kind(), "/template");
        var work = new SizedWork(services.workers(), JsonBodies.SMALL);
        return new ContentChange(scope.on(), scope.types(), new Filling(this, compiled, scan.usesBody(), work));
    }

    private TemplateKind kind() {
        return TemplateKind.of(contentType).orElse(TemplateKind.TEXT);
    }

    @Override
    public BodyUse bodyUse() {
        return scope.bodyUse();
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    /// What a template sees.
    @FunctionalInterface
    private interface Values {
        /// @param body null where it has none that is JSON
        ShownValue of(@Nullable JsonNode body, TemplateEffort effort);
    }

    private record Filling(BodyTemplate policy, CompiledTemplate template, boolean usesBody, SizedWork work)
            implements ContentChange.Maker {
        private static final int AT_ONCE = 1_000; // repetitions of sections on the request's own thread
        private static final long MOST_AT_ONCE = 32 << 10; // bytes that come of it there

        /// Methods whose requests have content.
        private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

        @Override
        public Optional<Made> ofRequest(Exchange exchange) {
            Body body = exchange.outgoing().body();
            if (isEmpty(body) && !WITH_CONTENT.contains(exchange.outgoing().method())) return Optional.empty();
            return made(
                    exchange.headers(),
                    body,
                    exchange,
                    (tree, effort) -> MessageValues.ofRequest(exchange, tree, effort));
        }

        @Override
        public Optional<Made> ofAnswer(Response response, Exchange exchange) {
            return made(
                    response.headers(),
                    response.body(),
                    exchange,
                    (tree, effort) -> MessageValues.ofAnswer(exchange, tree, response, effort));
        }

        private static boolean isEmpty(Body body) {
            return body.length().orElse(1) == 0;
        }

        private Optional<Made> made(Headers fields, Body body, Exchange exchange, Values values) {
            boolean empty = isEmpty(body);
            if (!(body instanceof HeldBody held) || !held.isPlain()) return Optional.empty();
            if (!empty && !policy.scope.types().include(fields)) return Optional.empty();
            boolean read = usesBody && !empty;
            if (read && !JsonBodies.isUtf8(fields)) return Optional.of(new Made.Refused(JsonBodies.otherCharset()));
            long mostAtOnce = Math.min(MOST_AT_ONCE, policy.mostBytes);
            return Optional.of(work.on(
                    held,
                    exchange,
                    () -> filled(held, read, values, AT_ONCE, mostAtOnce),
                    () -> patient(held, read, values)));
        }

        private Made patient(HeldBody held, boolean read, Values values) {
            try {
                return filled(held, read, values, TemplateEffort.MOST, policy.mostBytes);
            } catch (BoundReachedException e) {
                return new Made.Refused(JsonBodies.tooComplex("", String.valueOf(e.getMessage())));
            }
        }

        private Made filled(HeldBody held, boolean read, Values values, long repetitions, long mostBytes) {
            var output = new BoundedText(mostBytes, held.memory());
            try {
                JsonNode body = read ? held.json() : null;
                template.write(values.of(body, new TemplateEffort(repetitions)), output);
                byte[] content = output.bytes();
                if (policy.kind() == TemplateKind.JSON) Json.parse(content, held.memory()::hold);
                return new Made.Content(Body.of(content), policy.kind().sent(policy.contentType));
            } catch (BodyRefusedException e) {
                return new Made.Refused(JsonBodies.refusal(e));
            } catch (InvalidConfigException e) { // what came of it, which nobody else is to read otherwise
                return new Made.Refused(
                        Problem.of("policy-failed", 500, "Policy failed", "What the template makes is no JSON"));
            }
        }
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final Pattern TYPE =
                Pattern.compile("[A-Za-z0-9.+/-]*\\+(JSON|XML)|application/(JSON|XML|FORM)|text/(XML|HTML|PLAIN)"
                        .replace("application", JsonSchema.inAnyCase("application"))
                        .replace("text", JsonSchema.inAnyCase("text"))
                        .replace("JSON", JsonSchema.inAnyCase("json"))
                        .replace("XML", JsonSchema.inAnyCase("xml"))
                        .replace("FORM", JsonSchema.inAnyCase("x-www-form-urlencoded"))
                        .replace("HTML", JsonSchema.inAnyCase("html"))
                        .replace("PLAIN", JsonSchema.inAnyCase("plain")));

        @Override
        public String name() {
            return "body-template";
        }

        @Override
        public Stage stage() {
            return Stage.TRANSFORM;
        }

        @Override
        public BodyTemplate read(ConfigNode node) {
            ConfigNode type = node.field(
                            "contentType",
                            "of what is made, which decides how values are escaped: JSON, XML, HTML, a form or plain text")
                    .form("`application/json`, `*/*+json`, `application/xml`, `text/xml`, `*/*+xml`, `text/html`,"
                            + " `application/x-www-form-urlencoded`, `text/plain`");
            String contentType = type.like(TYPE).extent(0, 100).text("application/json");
            Optional<TemplateKind> kind = TemplateKind.of(contentType);
            if (kind.isEmpty() || !contentType.matches("[A-Za-z0-9.+/-]{1,100}"))
                type.expected("a type of JSON, XML, HTML, forms or plain text, without parameters");
            ConfigNode template = node.field("template", "Mustache: variables, sections, comments")
                    .form("text, or `{\"resource\": \"id\"}`");
            boolean stored = ResourceReader.isReference(template);
            String text = stored ? "" : template.requiredText();
            if (!stored && kind.isPresent())
                TemplateScan.of(text, kind.get()).problems().forEach(template::problem);
            return new BodyTemplate(
                    MessageScope.read(node, JsonBodies.TYPES),
                    contentType,
                    text,
                    stored ? Optional.of(ResourceReader.read(template)) : Optional.empty(),
                    node.field("maxOutput", "most bytes of what comes of it").size(1024, 16 << 20, 4 << 20));
        }
    }
}
