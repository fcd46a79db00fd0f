package gateway.policy;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Tells the gateway's own answers to one request in a form of its API. Status and fields stay, whatever the body
/// becomes, though the client may be sent the status of SOAP's binding; answers of upstreams, and bodies that policies
/// have made, stay whole.
public final class ErrorAnswers {
    private static final int MOST = 64 * 1024; // characters: values come from requests and are as long as these are
    private static final String GRPC = "application/grpc";
    private static final String BEHIND_GRPC = "+; ";

    private final List<ErrorForm> forms;
    private final Exchange exchange;
    private final List<String> accepted;
    private final String contentType;

    ErrorAnswers(List<ErrorForm> forms, Exchange exchange) {
        this.forms = forms;
        this.exchange = exchange;
        this.accepted = forms.size() > 1 || forms.getFirst() instanceof ErrorForm.Fault
                ? List.copyOf(exchange.headers().all("Accept"))
                : List.of();
        this.contentType =
                exchange.headers().first("Content-Type").orElse("").strip().toLowerCase(Locale.ROOT);
    }

    /// `made`, told in the API's form where its body is a problem of the gateway's. A form that gets too long is given
    /// up for the problem; gRPC has its own way to tell one. What was told once is not told again.
    public Response told(Response made) {
        Problem problem = made.problem();
        if (problem == null || isGrpc()) return made;
        if (forms.size() > 1 || forms.getFirst() instanceof ErrorForm.Fault) vary(made.headers());
        return switch (chosen()) {
            case ErrorForm.Standard _ -> made.settled();
            case ErrorForm.OwnJson(String type, FilledJson body) -> {
                tell(problem, made.status());
                yield bounded(made, type, Json.compact(body.of(exchange)));
            }
            case ErrorForm.Page(Template page) -> {
                tell(problem, made.status());
                yield page.render(exchange, MOST)
                        .map(text -> with(made, ErrorForm.Page.MEDIA_TYPE + "; charset=utf-8", text))
                        .orElseGet(made::settled);
            }
            case ErrorForm.Fault(ErrorForm.Fault.Status status) -> fault(made, problem, status);
        };
    }

    private Response fault(Response made, Problem problem, ErrorForm.Fault.Status status) {
        boolean newer = speaksNewerSoap();
        String fault = SoapFault.of(newer, problem, made.status(), exchange.requestId());
        Response told = with(made, (newer ? SoapFault.OF_12 : SoapFault.OF_11) + "; charset=utf-8", fault);
        return status == ErrorForm.Fault.Status.PROBLEM
                ? told
                : told.sentAs(SoapFault.boundStatus(newer, made.status()));
    }

    private boolean isGrpc() {
        if (!contentType.startsWith(GRPC)) return false;
        return contentType.length() == GRPC.length() || BEHIND_GRPC.indexOf(contentType.charAt(GRPC.length())) >= 0;
    }

    private void tell(Problem problem, int status) {
        exchange.found(Exchange.ERROR, facts(problem, status));
    }

    private static JsonNode facts(Problem problem, int status) {
        var facts = Json.mapper().createObjectNode();
        facts.put("type", problem.type());
        facts.put("status", status);
        facts.put("title", problem.title());
        facts.put("detail", problem.detail());
        facts.set("errors", problem.errorsJson());
        return facts;
    }

    private ErrorForm chosen() {
        ErrorForm best = forms.getFirst();
        if (forms.size() == 1 || accepted.isEmpty()) return best;
        int most = 0;
        for (ErrorForm each : forms) {
            for (String type : each.mediaTypes()) {
                int weight = AcceptedTypes.weight(accepted, type);
                if (weight <= most) continue;
                most = weight;
                best = each;
            }
        }
        return best;
    }

    /// By the type of what it sends, attachments (`multipart/related; type="application/soap+xml"`) around it or not;
    /// of a request without content or with other content, by what it accepts.
    private boolean speaksNewerSoap() {
        if (contentType.contains(SoapFault.OF_12)) return true;
        if (contentType.contains(SoapFault.OF_11)) return false;
        return AcceptedTypes.weight(accepted, SoapFault.OF_12) > AcceptedTypes.weight(accepted, SoapFault.OF_11);
    }

    private static Response bounded(Response made, String type, String text) {
        return text.length() > MOST ? made.settled() : with(made, type, text);
    }

    /// Not to be kept by caches: it may hold what came with the request.
    private static Response with(Response made, String contentType, String text) {
        if (!made.headers().contains("Cache-Control")) made.headers().set("Cache-Control", "no-store");
        return made.withBody(Body.of(text.getBytes(StandardCharsets.UTF_8))).with("Content-Type", contentType);
    }

    private static void vary(Headers fields) {
        for (String each : fields.all("Vary")) {
            for (String name : each.split(",", -1)) {
                if (name.strip().equalsIgnoreCase("Accept") || name.strip().equals("*")) return;
            }
        }
        fields.add("Vary", "Accept");
    }
}
