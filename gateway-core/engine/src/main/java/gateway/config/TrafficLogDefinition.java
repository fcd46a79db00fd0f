package gateway.config;

import gateway.capture.BodyRule;
import gateway.capture.CapturedBody;
import gateway.http.Headers;
import gateway.policy.CredentialFields;
import gateway.service.TrafficRecord;
import java.util.List;

/// Which requests of an API stand in the traffic log, and what of them.
///
/// @param sample share of requests recorded, 0 to 1
/// @param request what of the request is recorded besides the standing fields
/// @param response what of the response is recorded besides the standing fields
public record TrafficLogDefinition(double sample, Mask mask, Capture request, Capture response) {
    public static final TrafficLogDefinition ON =
            new TrafficLogDefinition(1, Mask.USUAL, Capture.NOTHING, Capture.NOTHING);
    public static final TrafficLogDefinition OFF =
            new TrafficLogDefinition(0, Mask.USUAL, Capture.NOTHING, Capture.NOTHING);

    private static final int SHARES = 1 << 24;

    /// Whether the request `id` is recorded: the same answer on every node, and for any two sample rates the requests
    /// of the lower one are among those of the higher.
    public boolean records(String id) {
        if (sample >= 1) return true;
        return sample > 0 && (mixed(id.hashCode()) >>> 8) < (int) (sample * SHARES);
    }

    /// The same, with these fields masked besides.
    TrafficLogDefinition hiding(CredentialFields credentials) {
        if (credentials.equals(CredentialFields.USUAL)) return this;
        return new TrafficLogDefinition(sample, mask.and(credentials), request, response);
    }

    /// The fields that are recorded besides, masked. Empty, and free of cost, when nothing is captured.
    ///
    /// @param requestBody as far as it was kept; `NONE` when it was not
    /// @param responseBody likewise
    public TrafficRecord.Detail detail(
            String query,
            Headers requestHeaders,
            Headers responseHeaders,
            CapturedBody requestBody,
            CapturedBody responseBody) {
        if (!request.any() && !response.any()) return TrafficRecord.Detail.NONE;
        return new TrafficRecord.Detail(
                request.query() ? mask.parameters().mask(query) : "",
                request.headers() ? mask.headers(requestHeaders) : List.of(),
                response.headers() ? mask.headers(responseHeaders) : List.of(),
                requestBody,
                responseBody);
    }

    /// The finalizer of MurmurHash3: spreads what `hashCode` leaves close together.
    private static int mixed(int hash) {
        int h = hash;
        h = (h ^ (h >>> 16)) * 0x85ebca6b;
        h = (h ^ (h >>> 13)) * 0xc2b2ae35;
        return h ^ (h >>> 16);
    }

    /// Parts of a message that are recorded on demand.
    ///
    /// @param query only for requests
    /// @param body of which size and types, and masked by what
    public record Capture(boolean headers, boolean query, BodyRule body) {
        public static final Capture NOTHING = new Capture(false, false, BodyRule.OFF);

        boolean any() {
            return headers || query || body.isOn();
        }
    }
}
