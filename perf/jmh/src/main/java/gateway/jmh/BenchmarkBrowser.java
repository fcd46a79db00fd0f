package gateway.jmh;

import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Logs in at a [BenchmarkProvider], and keeps the cookies that it is told to.
final class BenchmarkBrowser {
    private static final Pattern COOKIE = Pattern.compile("([^=;]+)=([^;]*);.*");

    private final Map<String, String> cookies = new LinkedHashMap<>(Map.of("theme", "dark"));

    /// What it shows once it has a session, the cookie that is the upstream's among them.
    List<String> logIn(Pipeline pipeline, BenchmarkProvider provider) {
        Response begun = open(pipeline, BenchmarkRequests.PATH, "");
        String question = begun.headers().first("Location").orElseThrow();
        provider.nonce(parameter("nonce", question));
        open(pipeline, "/orders/.auth/callback", "code=c&state=" + parameter("state", question));
        cookies.keySet().removeIf(name -> name.endsWith("~done")); // which is kept for a minute
        return shown();
    }

    private Response open(Pipeline pipeline, String path, String query) {
        var lines = new ArrayList<>(shown());
        lines.addAll(List.of("Sec-Fetch-Mode", "navigate"));
        Exchange exchange = BenchmarkRequests.get(path, query, lines);
        Response response = pipeline.run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
        if (response.status() != 302) throw new IllegalStateException("expected 302, got " + response.status());
        response.headers().all("Set-Cookie").forEach(this::keep);
        return response;
    }

    private void keep(String line) {
        Matcher cookie = COOKIE.matcher(line);
        if (!cookie.matches()) throw new IllegalStateException("a cookie without attributes");
        if (line.contains("Max-Age=0")) cookies.remove(cookie.group(1));
        else cookies.put(cookie.group(1), cookie.group(2));
    }

    private List<String> shown() {
        var pairs = new ArrayList<String>();
        cookies.forEach((name, value) -> pairs.add(name + '=' + value));
        return List.of("Cookie", String.join("; ", pairs));
    }

    private static String parameter(String name, String url) {
        Matcher found = Pattern.compile("[?&]" + name + "=([^&]+)").matcher(url);
        if (!found.find()) throw new IllegalStateException("no " + name + " in a question to the provider");
        return found.group(1);
    }
}
