package gateway.app.traffic;

import gateway.http.Allowance;
import gateway.http.Consumer;
import gateway.http.Outcome;
import gateway.service.TrafficRecord;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Records to log.
final class Records {
    static final long STARTED = 1_789_000_000_123L; // 2026-09-10T00:26:40.123Z

    private Records() {}

    static TrafficRecord numbered(long number) {
        return numbered(number, List.of("gold"));
    }

    static TrafficRecord numbered(long number, List<String> tags) {
        return record(
                "request-" + number, "/orders/items/" + number % 5000, "curl/8.5.0", tags, TrafficRecord.Detail.NONE);
    }

    static TrafficRecord record(
            String id, String path, String userAgent, List<String> tags, TrafficRecord.Detail detail) {
        return new TrafficRecord(
                STARTED,
                new TrafficRecord.Request(
                        id,
                        "GET",
                        "api.example.com",
                        path,
                        address("10.1.2.3"),
                        userAgent,
                        "4bf92f3577b34da6a3ce929d0e0e4736",
                        0),
                new TrafficRecord.Api(
                        "orders", "Orders", 17, "http://10.0.0.1:9001", "", Optional.of(new Caller(tags))),
                new Outcome(200, Outcome.Ending.COMPLETE, 300_000, 345_678),
                1024,
                detail);
    }

    static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /// Somebody with a key.
    record Caller(List<String> tags) implements Consumer {
        @Override
        public String id() {
            return "key_01J";
        }

        @Override
        public String name() {
            return "alice";
        }

        @Override
        public Optional<Allowance> rateLimit() {
            return Optional.empty();
        }

        @Override
        public Optional<Allowance> quota() {
            return Optional.empty();
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }
    }
}
