package gateway.policies.identity;

import gateway.http.Outcome;
import gateway.http.Response;
import gateway.policy.Followup;
import java.util.List;

/// Has an answer set cookies.
///
/// @param further what else follows
/// @param lines of `Set-Cookie`
record FreshCookies(Followup further, List<String> lines) implements Followup {
    FreshCookies {
        lines = List.copyOf(lines);
    }

    @Override
    public Response onResponse(Response response) {
        return LoginPage.setting(further.onResponse(response), lines);
    }

    @Override
    public void onEnd(Outcome outcome) {
        further.onEnd(outcome);
    }

    /// Without the values.
    @Override
    public String toString() {
        return lines.size() + " cookies";
    }
}
