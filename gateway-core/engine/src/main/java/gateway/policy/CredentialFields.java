package gateway.policy;

import java.util.Set;

/// Where in a request credentials stand that a policy looks at. `Authorization`, `Proxy-Authorization`, `X-Api-Key` and
/// cookies are taken for credentials anyway.
///
/// @param headers names, without regard to case
/// @param parameters names in the query, percent-decoded
public record CredentialFields(Set<String> headers, Set<String> parameters) {
    public static final CredentialFields USUAL = new CredentialFields(Set.of(), Set.of());

    public CredentialFields {
        headers = Set.copyOf(headers);
        parameters = Set.copyOf(parameters);
    }
}
