package gateway.policies.message.openapi;

import com.google.auto.service.AutoService;
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

/// Lets pass only requests and answers that are as an OpenAPI document has them.
///
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
        BasePath basePath,
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
                document.operations(new OpenApiSource.Want(formats, false), services),
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
            return new OpenApiValidation(
                    OpenApiSource.read(node),
                    node.field("request", "`report`: what would be refused is recorded and passes, `off`: nobody looks")
                            .choice(SideMode.ENFORCE),
                    node.field("response", "the same of answers").choice(SideMode.OFF),
                    node.field("unknownPaths", "requests with a path or method that the document does not have")
                            .choice(UnknownPaths.REFUSE),
                    BasePath.read(node),
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
    }
}
