package gateway.jmh;

import gateway.http.Body;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.PathPattern;
import gateway.http.RequestHead;
import gateway.http.RouteFacts;
import java.net.InetAddress;
import java.util.List;

/// Requests as they come from a socket, their fields read already.
final class BenchmarkRequests {
    static final String PATH = "/orders/7";
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));

    private BenchmarkRequests() {}

    static RequestHead head(String path, String query) {
        return new RequestHead("GET", "https", "api.example.com", path, path, query);
    }

    /// @param lines names and values by turns
    static Exchange get(String path, String query, List<String> lines) {
        return of(head(path, query), lines);
    }

    static Exchange of(RequestHead head, List<String> lines) {
        return of(head, Headers.ofLines(lines));
    }

    static Exchange of(RequestHead head, Headers fields) {
        return new Exchange("1", head, CLIENT, ROUTE, fields, Body.EMPTY, Long.MAX_VALUE, null);
    }
}
