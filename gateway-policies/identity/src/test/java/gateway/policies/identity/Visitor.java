package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A browser without a socket: keeps the cookies that answers set, and shows them.
final class Visitor {
    private final Map<String, String> cookies = new LinkedHashMap<>();

    Map<String, String> cookies() {
        return cookies;
    }

    /// What the policy answers; 200 where it lets the request pass.
    Response open(Policy policy, Exchanges request) {
        return open(policy, showing(request).make());
    }

    Response open(Policy policy, String target) {
        return open(policy, navigation("GET", target));
    }

    static Exchanges navigation(String method, String target) {
        return Exchanges.of(method, target).scheme("https").host("shop.example").with("Sec-Fetch-Mode", "navigate");
    }

    Exchanges showing(Exchanges request) {
        if (cookies.isEmpty()) return request;
        return request.with(
                "Cookie",
                cookies.entrySet().stream()
                        .map(each -> each.getKey() + '=' + each.getValue())
                        .collect(Collectors.joining("; ")));
    }

    Response open(Policy policy, Exchange exchange) {
        Response response = response(policy.apply(exchange));
        response.headers().all("Set-Cookie").forEach(this::keep);
        return response;
    }

    /// The same where a whole pipeline answers.
    Response visit(Function<Exchanges, Response> gateway, Exchanges request) {
        Response response = gateway.apply(showing(request));
        response.headers().all("Set-Cookie").forEach(this::keep);
        return response;
    }

    private static Response response(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Proceed(var followup) -> {
                Response response = followup.onResponse(Response.of(200));
                yield response;
            }
            case Verdict.Stop(Response response) -> response;
            case Verdict.Answer(Response response, var _) -> response;
        };
    }

    private void keep(String line) {
        String pair = line.substring(0, line.indexOf(';'));
        String name = pair.substring(0, pair.indexOf('='));
        if (line.contains("Max-Age=0")) cookies.remove(name);
        else cookies.put(name, pair.substring(name.length() + 1));
    }

    /// Begins a login, and answers what the provider is asked.
    FormParameters begin(Policy policy, String target) {
        Response response = open(policy, target);
        if (response.status() != 302) throw new AssertionError("expected 302, got " + response.status());
        String place = response.headers().first("Location").orElseThrow();
        return FormParameters.parse(URI.create(place).getRawQuery()).orElseThrow();
    }

    /// Logs alice in for five minutes, and answers where the browser is sent then.
    String logIn(Policy policy, PlayedProvider provider, String target) {
        FormParameters asked = begin(policy, target);
        provider.gives(provider.idToken(asked.text("nonce"), ""), "at-0", "rt-0", 300);
        Response response =
                open(policy, "/.auth/callback?code=c&iss=https%3A%2F%2Fid.example&state=" + asked.text("state"));
        if (response.status() != 302) throw new AssertionError("expected 302, got " + response.status());
        return response.headers().first("Location").orElseThrow();
    }
}
