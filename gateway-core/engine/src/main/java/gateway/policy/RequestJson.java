package gateway.policy;

import gateway.http.BodyCharset;
import gateway.http.BodyRefusedException;
import gateway.http.Exchange;
import gateway.http.HeldBody;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// The JSON that requests bring, for those who look at places of it. The pipeline holds it where they ask for
/// [Condition#BODY].
public final class RequestJson {
    private RequestJson() {}

    /// Empty for a body of another type, and for none.
    ///
    /// @throws BodyRefusedException when it is not what it says, or says several types, or a charset but UTF-8
    public static Optional<JsonNode> of(Exchange exchange) {
        Optional<HeldBody> held = exchange.held();
        boolean none = held.isEmpty()
                || held.get().content().length == 0
                || !BodyFilter.JSON.wants(exchange.headers(), OptionalLong.empty());
        if (none) return Optional.empty();
        BodyCharset.requireUtf8(exchange.headers());
        return Optional.of(held.get().json());
    }
}
