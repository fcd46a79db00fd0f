package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/// As much of a browser as logging in takes: cookies by host, redirects one at a time, forms.
final class Browser implements AutoCloseable {
    /// Where the form of a page goes.
    static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");

    private static final int MOST_REDIRECTS = 12;

    private final HttpClient client;
    private final Map<String, Map<String, String>> cookies = new ConcurrentHashMap<>();

    Browser() {
        this(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    /// One that trusts whom `tls` does.
    Browser(SSLContext tls) {
        this(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build());
    }

    private Browser(HttpClient client) {
        this.client = client;
    }

    /// Another one that has the same cookies now, and connections in common.
    Browser copy() {
        var copy = new Browser(client);
        cookies.forEach((host, those) -> copy.cookies(host).putAll(those));
        return copy;
    }

    /// Those of a host, by name.
    Map<String, String> cookies(String host) {
        return cookies.computeIfAbsent(host, _ -> new ConcurrentHashMap<>());
    }

    /// A page that a person opens; redirects are not followed.
    HttpResponse<String> open(URI place) {
        return send(HttpRequest.newBuilder(place)
                .header("Sec-Fetch-Mode", "navigate")
                .header("Accept", "text/html"));
    }

    /// The same, and on to where the answers lead.
    HttpResponse<String> follow(URI place) {
        return follow(open(place));
    }

    HttpResponse<String> follow(HttpResponse<String> first) {
        HttpResponse<String> response = first;
        for (int i = 0; i < MOST_REDIRECTS && response.statusCode() / 100 == 3; i++) {
            response = open(target(response));
        }
        return response;
    }

    /// Where an answer leads.
    static URI target(HttpResponse<String> response) {
        return response.uri().resolve(response.headers().firstValue("Location").orElseThrow());
    }

    /// Opens a page, says who it is where `oidc-provider` asks for that, and goes on to what was wanted.
    HttpResponse<String> logIn(URI wanted) {
        HttpResponse<String> page = follow(wanted);
        Matcher form = FORM.matcher(page.body());
        assertThat(form.find()).as(page.body()).isTrue();
        var fields = Map.of("prompt", "login", "login", "alice", "password", "any");
        return follow(submit(page.uri().resolve(form.group(1)), fields));
    }

    HttpResponse<String> submit(URI place, Map<String, String> form) {
        String body = form.entrySet().stream()
                .map(each -> each.getKey() + '=' + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(place)
                .header("Sec-Fetch-Mode", "navigate")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /// What the scripts of a page ask for.
    HttpResponse<String> fetch(URI place) {
        return send(HttpRequest.newBuilder(place).header("Sec-Fetch-Mode", "cors"));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        String host = request.build().uri().getHost();
        String shown = cookies(host).entrySet().stream()
                .map(each -> each.getKey() + '=' + each.getValue())
                .collect(Collectors.joining("; "));
        if (!shown.isEmpty()) request.header("Cookie", shown);
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            response.headers().allValues("Set-Cookie").forEach(line -> keep(host, line));
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void keep(String host, String line) {
        String pair = line.split(";", 2)[0];
        String name = pair.substring(0, pair.indexOf('='));
        String value = pair.substring(name.length() + 1);
        boolean gone = value.isEmpty() || line.contains("Max-Age=0") || line.contains("expires=Thu, 01 Jan 1970");
        if (gone) cookies(host).remove(name);
        else cookies(host).put(name, value);
    }

    @Override
    public void close() {
        client.close();
    }
}
