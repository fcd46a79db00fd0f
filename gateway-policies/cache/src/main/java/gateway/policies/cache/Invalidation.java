package gateway.policies.cache;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.policy.Followup;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/// What an unsafe request has changed is not given from the cache any more (RFC 9111 §4.4).
///
/// @param space of the policy's keys
/// @param target that the request is for
record Invalidation(KeptAnswers kept, ResponseCache spec, String space, String target, Exchange exchange)
        implements Followup {
    private static final List<String> TOLD = List.of("Location", "Content-Location");

    @Override
    public Response onResponse(Response response) {
        response.headers().remove(spec.rules().tags());
        if (response.status() < 200
                || response.status() >= 400
                || !response.reason().isEmpty()) return response;
        kept.forget(target);
        for (String name : TOLD) {
            Optional<String> told = response.headers().first(name);
            if (told.isPresent()) forget(told.get());
        }
        return response;
    }

    private void forget(String reference) {
        try {
            URI place = URI.create("http://h" + exchange.outgoing().path()).resolve(new URI(reference));
            boolean isHere = place.getHost() != null
                    && (place.getHost().equals("h") || place.getHost().equalsIgnoreCase(exchange.host()));
            if (!isHere) return;
            String query = place.getRawQuery() == null ? "" : place.getRawQuery();
            kept.forget(KeyParts.target(
                    space, exchange, place.getRawPath(), spec.key().narrowed(query)));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return; // it names nothing that could be kept
        }
    }
}
