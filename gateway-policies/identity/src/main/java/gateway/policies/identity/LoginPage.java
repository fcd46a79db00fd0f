package gateway.policies.identity;

import gateway.http.Response;
import gateway.policy.TemplatePlace;
import gateway.policy.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The few words that the gateway itself says to people in browsers, and where it sends them. Nothing of it may be
/// kept, framed, or run.
final class LoginPage {
    private static final String TYPE = "text/html; charset=utf-8";

    private LoginPage() {}

    /// A refusal.
    ///
    /// @param reason for records
    /// @param back a path that the page leads to
    static Response refusal(int status, String reason, String words, String back) {
        String link = "<p><a href=\"" + TemplatePlace.HTML.escaped(back) + "\">Try again</a></p>";
        return page(status, words, link).because(reason);
    }

    static Response notice(String words) {
        return page(200, words, "");
    }

    private static Response page(int status, String words, String more) {
        String text = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + words + "</title><h1>"
                + words + "</h1>" + more + "</html>";
        return unkept(Response.of(status, TYPE, text.getBytes(StandardCharsets.UTF_8)))
                .with("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .with("X-Content-Type-Options", "nosniff");
    }

    static Response redirect(String place) {
        return unkept(Response.of(302)).with("Location", place);
    }

    static Response unkept(Response response) {
        return response.with("Cache-Control", "no-store").with("Referrer-Policy", "no-referrer");
    }

    static Response setting(Response response, List<String> lines) {
        for (String line : lines) response.headers().add("Set-Cookie", line);
        return response;
    }

    /// The same verdict, whose answer sets cookies.
    static Verdict setting(Verdict verdict, List<String> lines) {
        if (lines.isEmpty()) return verdict;
        return switch (verdict) {
            case Verdict.Proceed(var followup) -> Verdict.proceed(new FreshCookies(followup, lines));
            case Verdict.Stop(Response response) -> Verdict.stop(setting(response, lines));
            case Verdict.Answer(Response response, var _) -> Verdict.answer(setting(response, lines));
        };
    }
}
