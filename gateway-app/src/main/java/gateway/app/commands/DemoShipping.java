package gateway.app.commands;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Whether the demonstration's records have reached Elasticsearch, as the gateway's own metrics tell.
///
/// @param admin address of the admin plane
record DemoShipping(HttpClient client, String admin) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /// Waits until every record is indexed.
    ///
    /// @return whether that came true
    boolean await() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            String metrics = metrics();
            double accepted = count(metrics, "accepted");
            if (accepted > 0 && count(metrics, "indexed") >= accepted) return true;
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return false;
    }

    private static double count(String metrics, String fate) {
        Matcher line = Pattern.compile("gateway_traffic_records_total\\{fate=\"" + fate + "\"} (\\S+)")
                .matcher(metrics);
        return line.find() ? Double.parseDouble(line.group(1)) : 0;
    }

    private String metrics() {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(admin + "/metrics"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
