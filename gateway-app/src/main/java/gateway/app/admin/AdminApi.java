package gateway.app.admin;

import gateway.app.log.LogLevels;
import gateway.app.secrets.DefinitionSecrets;
import gateway.http.Response;
import gateway.policy.Services;
import gateway.service.DefinitionStore;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.RequestPreparation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Puts the admin plane together.
///
/// @param metrics the Prometheus text of `/metrics`
/// @param logLevels of this process
/// @param runtime what `/runtime` tells
/// @param preparation of requests that are to be explained
/// @param schemas of what is stored
public record AdminApi(
        AdminTokens tokens,
        Definitions definitions,
        DefinitionStore store,
        DefinitionSecrets secrets,
        Services services,
        AuditTrail audit,
        LiveSnapshot live,
        HealthPages health,
        Supplier<String> metrics,
        LogLevels logLevels,
        RuntimeJson runtime,
        RequestPreparation preparation,
        DefinitionSchemas schemas) {
    /// @param hosts by which it may be called
    public AdminHandler handler(AdminHosts hosts) {
        Map<String, Supplier<Response>> open = AdminPlane.pages(health, metrics);
        open.put("/.well-known/jwks.json", () -> PublishedKeysPage.of(services.parts()));
        return new AdminPlane(open, tokens, new AdminRouter(routes()), hosts);
    }

    /// Every operation, the document of all of them among them.
    List<AdminRoute> routes() {
        var routes = new ArrayList<AdminRoute>();
        routes.addAll(DocumentsResource.ofApis(definitions, secrets).routes());
        routes.addAll(DocumentsResource.ofPolicySets(definitions, secrets).routes());
        routes.addAll(new GlobalResource(definitions, secrets).routes());
        routes.addAll(DocumentsResource.ofPlans(definitions, secrets).routes());
        routes.addAll(new ResourcesResource(definitions, store.contents()).routes());
        routes.addAll(new SecretsResource(definitions, secrets.documents()).routes());
        routes.addAll(new RekeyResource(definitions, secrets, services.keys()).routes());
        routes.addAll(new ChangesResource(definitions, secrets).routes());
        routes.addAll(new KeysResource(
                        services.keys(), definitions, secrets.documents().credentials(), services.clock())
                .routes());
        routes.addAll(new UsageResource(services, live).routes());
        routes.addAll(new ValidateResource(definitions, secrets).routes());
        routes.addAll(new ExplainResource(live, preparation).routes());
        routes.addAll(new RevisionsResource(definitions, new History(store), secrets).routes());
        routes.addAll(new ProcessResource(definitions, live, audit, runtime::now).routes());
        routes.addAll(new UpstreamsResource(live).routes());
        routes.addAll(new BansResource(services.parts(), definitions).routes());
        routes.addAll(new CacheResource(services, definitions).routes());
        routes.addAll(new LoggersResource(logLevels, definitions).routes());
        routes.addAll(new SchemasResource(schemas).routes());
        routes.add(AdminRoute.of(
                        "GET",
                        "/openapi.json",
                        "openApi",
                        "This document",
                        call -> Answers.ok(OpenApi.document(routes, runtime.version(), schemas)))
                .answering(200, "the document", "Document"));
        return routes;
    }
}
