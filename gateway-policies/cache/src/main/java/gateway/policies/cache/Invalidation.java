package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.policy.Followup;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What an unsafe request has changed is not given from the cache any more (RFC 9111 §4.4).
///
/// @param space of the policy's keys
/// @param target that the request is for
/// @param forwarded the path that the upstream gets
record Invalidation(
        KeptAnswers kept, ResponseCache spec, String space, String target, String forwarded, Exchange exchange)
        implements Followup {
    private static final List<String> TOLD = List.of("Location", "Content-Location");

    @Override
    public Response onResponse(Response response) {
        if (response.status() < 200
                || response.status() >= 400
                || !response.reason().isEmpty()) return response;
        var targets = new LinkedHashSet<String>();
        targets.add(target);
        for (String name : TOLD) {
            Optional<String> told = response.headers().first(name);
            if (told.isPresent()) add(told.get(), targets);
        }
        targets.forEach(kept::forget);
        return response;
    }

    /// The upstream names a place by the path that it knows, or by the one that clients know: nothing tells which.
    private void add(String reference, Set<String> targets) {
        Optional<URI> known = place(forwarded, reference);
        if (known.isPresent()) targets.add(target(path(known.get()), known.get()));
        Optional<URI> sent = place(exchange.rawPath(), reference);
        Optional<String> path = sent.flatMap(each -> exchange.forwardedPath(path(each)));
        if (sent.isPresent() && path.isPresent()) targets.add(target(path.get(), sent.get()));
    }

    /// Where `reference` leads from `path`; empty for other hosts, and for what names nothing that could be kept.
    private Optional<URI> place(String path, String reference) {
        try {
            URI place = URI.create("http://h" + path).resolve(new URI(reference));
            boolean isHere = place.getHost() != null
                    && (place.getHost().equals("h") || place.getHost().equalsIgnoreCase(exchange.host()));
            return isHere ? Optional.of(place) : Optional.empty();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String path(URI place) {
        return place.getRawPath().isEmpty() ? "/" : place.getRawPath();
    }

    private String target(String path, URI place) {
        String query = place.getRawQuery() == null ? "" : place.getRawQuery();
        return KeyParts.target(space, exchange, path, spec.key().query().of(query));
    }
}
