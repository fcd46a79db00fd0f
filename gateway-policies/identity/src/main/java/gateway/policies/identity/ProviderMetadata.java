package gateway.policies.identity;

import gateway.policies.cryptography.KeyUrls;
import gateway.policies.cryptography.MetadataFetch;
import gateway.service.Calls;
import gateway.service.ServerCalls;
import java.net.URI;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What a provider says of itself (OpenID Connect Discovery 1.0 §3), as far as logging in needs it.
///
/// @param authorization where browsers are sent to log in
/// @param tokens where codes become tokens
/// @param endSession where browsers are sent to log out; empty: nowhere
/// @param tellsIssuer whether its answers say whose they are (RFC 9207)
record ProviderMetadata(URI authorization, TokenEndpoint tokens, Optional<URI> endSession, boolean tellsIssuer) {
    /// One fetch.
    ///
    /// @param server of the provider's issuer
    /// @throws gateway.service.DependencyException when it cannot be had
    static ProviderMetadata fetch(OpenIdProvider provider, Calls calls, ServerCalls server, ClientProof client) {
        var fetch = new MetadataFetch(provider.origin(), calls, server);
        JsonNode said = fetch.metadata(System.nanoTime() + provider.timeout().toNanos());
        URI tokens = fetch.place(holder(said, client), "token_endpoint", "token endpoint that may be called");
        boolean endsSessions = said.path("end_session_endpoint").isString();
        return new ProviderMetadata(
                fetch.place(said, "authorization_endpoint", "place to log in"),
                new TokenEndpoint(
                        KeyUrls.origin(tokens).toString(),
                        KeyUrls.pathOf(tokens),
                        fetch.holder(tokens),
                        client,
                        provider.timeout()),
                endsSessions
                        ? Optional.of(fetch.place(said, "end_session_endpoint", "place to log out"))
                        : Optional.empty(),
                said.path("authorization_response_iss_parameter_supported").asBoolean(false));
    }

    /// What names the token endpoint: where connections show certificates it may be another (RFC 8705 §5).
    private static JsonNode holder(JsonNode said, ClientProof client) {
        JsonNode aliases = said.path("mtls_endpoint_aliases");
        return client instanceof ClientProof.ByConnection && aliases.has("token_endpoint") ? aliases : said;
    }
}
