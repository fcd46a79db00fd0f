package gateway.policies.message.openapi;

import com.google.auto.service.AutoService;
import gateway.http.PathPattern;
import gateway.json.ConfigNode;
import gateway.policies.message.MediaRanges;
import gateway.policies.message.MessageScope;
import gateway.policies.message.SizedWork;
import gateway.policies.message.json.JsonBodies;
import gateway.policy.BodyAccess;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.List;
import java.util.Optional;

/// Lets pass only requests and answers that are as an OpenAPI document has them.
///
/// @param basePath before the paths of the document; empty: they are those below the API
/// @param types of content that is held and looked at
/// @param maxBody bytes of one, once unpacked
/// @param formats whether `format` is asserted
/// @param errors that a client is told at most
/// @param status of the refusal
/// @param effort evaluations of one body
public record OpenApiValidation(
        OpenApiSource document,
        SideMode request,
        SideMode response,
        UnknownPaths unknownPaths,
        Optional<String> basePath,
        MediaRanges types,
        long maxBody,
        boolean formats,
        int errors,
        int status,
        long effort)
        implements PolicySpec {
    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        var contents = new MessageContents(types, new SizedWork(services.workers(), JsonBodies.SMALL), effort);
        return new DescribedApi(
                document.operations(formats, services),
                new MessageChecks(contents, errors, status),
                basePath,
                unknownPaths,
                request,
                response);
    }

    @Override
    public BodyUse bodyUse() {
        BodyAccess held = BodyAccess.plain(maxBody).only((fields, _) -> types.include(fields));
        return new BodyUse(
                request == SideMode.OFF ? BodyAccess.NONE : held, response == SideMode.OFF ? BodyAccess.NONE : held);
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // burns CPU, and its time is told
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public boolean reportsRequests() {
        return request == SideMode.REPORT;
    }

    @Override
    public boolean reportsAnswers() {
        return response == SideMode.REPORT;
    }

    @Override
    public boolean decidesByPath() {
        return request != SideMode.OFF;
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        private static final List<String> TYPES = List.of(
                "application/json",
                "*/*+json",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
                "text/plain");
        private static final long USUAL_EFFORT = 100_000;

        @Override
        public String name() {
            return "openapi-validation";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public OpenApiValidation read(ConfigNode node) {
            ConfigNode document = node.field("document", "OpenAPI 3.0 or 3.1, JSON or YAML")
                    .form("OpenAPI document, or `{\"resource\": \"id\"}`");
            return new OpenApiValidation(
                    OpenApiSource.read(document),
                    node.field("request", "`report`: what would be refused is recorded and passes, `off`: nobody looks")
                            .choice(SideMode.ENFORCE),
                    node.field("response", "the same of answers").choice(SideMode.OFF),
                    node.field("unknownPaths", "requests with a path or method that the document does not have")
                            .choice(UnknownPaths.REFUSE),
                    basePath(node.field("basePath", "what stands before the document's paths in those of clients")
                            .form("path")
                            .unlessGiven("the path of the API")),
                    MediaRanges.read(
                            node.field(
                                    "contentTypes",
                                    "of contents that are held and looked at; of others the type alone counts"),
                            TYPES),
                    MessageScope.maxBody(node),
                    node.field("formats", "whether `format` is asserted").bool(true),
                    (int) node.field("errors", "that a client is told at most").integer(1, 100, 20),
                    (int) node.field("status", "of the refusal").integer(400, 499, 422),
                    node.field("effort", "evaluations that one body may take").integer(100, 10_000_000, USUAL_EFFORT));
        }

        /// Compared with canonical paths; `/` is before all of them.
        private static Optional<String> basePath(ConfigNode node) {
            if (!node.isPresent()) return Optional.empty();
            String text = node.like(PathPattern.FORM)
                    .obeys("{\"not\": {\"pattern\": \"\\\\{\"}}")
                    .requiredText();
            if (!text.isEmpty()) PathPattern.flaw(text).ifPresent(node::problem);
            if (text.indexOf('{') >= 0) node.problem("expected a path without parameters");
            return Optional.of(text.equals("/") ? "" : text);
        }
    }
}
