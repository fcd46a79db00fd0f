package gateway.service;

import gateway.capture.CapturedBody;
import gateway.http.Consumer;
import gateway.http.Outcome;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One finished request, as the traffic log tells it. Texts that are not known are empty.
///
/// @param startedMillis when the request head was complete, in milliseconds since 1970
/// @param api what served it
/// @param outcome how it ended
/// @param responseBytes bytes of response body sent to the client
/// @param detail what the API asks to have recorded besides
public record TrafficRecord(
        long startedMillis, Request request, Api api, Outcome outcome, long responseBytes, Detail detail) {

    /// What the client sent. Of texts that it chose the length of, the first 8 KiB are kept.
    ///
    /// @param path as sent, percent-encoded, without query
    /// @param host lower case, without port
    /// @param bodyBytes bytes of body that have arrived, without the framing of chunks
    /// @param httpVersion what the client speaks, such as `1.1`
    public record Request(
            String id,
            String method,
            String host,
            String path,
            InetAddress client,
            String userAgent,
            String traceId,
            long bodyBytes,
            String httpVersion) {
        public Request {
            method = Excerpt.of(method);
            host = Excerpt.of(host);
            path = Excerpt.of(path);
            userAgent = Excerpt.of(userAgent);
        }

        /// One whose version is not known.
        public Request(
                String id,
                String method,
                String host,
                String path,
                InetAddress client,
                String userAgent,
                String traceId,
                long bodyBytes) {
            this(id, method, host, path, client, userAgent, traceId, bodyBytes, "");
        }
    }

    /// What the gateway did with it.
    ///
    /// @param id the API's id; empty when no route matched
    /// @param version the API's version that served; empty when it has none, or none was chosen
    /// @param revision number of the definitions that decided
    /// @param upstream location of the target asked, such as `http://10.0.0.1:9001`
    /// @param policy the policy that answered in the upstream's place
    /// @param reason why the gateway refused the request, such as `rate-limited`
    /// @param reported what policies that only report would have refused, as `step:reason`
    /// @param labels what policies want to have recorded, by name
    /// @param consumer who called; where the credential was refused, whose it is
    public record Api(
            String id,
            String name,
            String version,
            long revision,
            String upstream,
            String policy,
            String reason,
            List<String> reported,
            Map<String, String> labels,
            Optional<Consumer> consumer) {
        /// Of a request that no policy reports or labels.
        public Api(
                String id,
                String name,
                String version,
                long revision,
                String upstream,
                String policy,
                String reason,
                Optional<Consumer> consumer) {
            this(id, name, version, revision, upstream, policy, reason, List.of(), Map.of(), consumer);
        }

        /// Of an API without versions.
        public Api(String id, String name, long revision, String upstream, String policy, Optional<Consumer> consumer) {
            this(id, name, "", revision, upstream, policy, "", consumer);
        }
    }

    /// What an API asks to have recorded besides. Secrets are masked in all but the bodies, which do that when
    /// they are told. Of a query and of each header value the first 8 KiB are kept.
    ///
    /// @param query the query string
    /// @param requestHeaders name, value, name, value …
    /// @param responseHeaders name, value, name, value …
    /// @param requestBody as the client sent it
    /// @param responseBody as the client was sent it
    public record Detail(
            String query,
            List<String> requestHeaders,
            List<String> responseHeaders,
            CapturedBody requestBody,
            CapturedBody responseBody) {
        public static final Detail NONE = new Detail("", List.of(), List.of(), CapturedBody.NONE, CapturedBody.NONE);

        public Detail {
            query = Excerpt.of(query);
            requestHeaders = Excerpt.ofEach(requestHeaders);
            responseHeaders = Excerpt.ofEach(responseHeaders);
        }
    }

    /// Gives the room of captured bodies back. To be called once, when the record is written or dropped.
    public void release() {
        detail.requestBody().release();
        detail.responseBody().release();
    }
}
