package gateway.policy;

import gateway.http.Exchange;
import gateway.http.Problem;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonPointer;

/// A form in which an API tells the gateway's own refusals and failures to its clients.
public sealed interface ErrorForm {
    /// What placeholders of a form may say besides those of every template, each with the fact that it stands for.
    Map<String, JsonPointer> PLACEHOLDERS = Map.of(
            "error.type", fact("type"),
            "error.status", fact("status"),
            "error.title", fact("title"),
            "error.detail", fact("detail"),
            "error.errors", fact("errors"));

    /// Those by which a client's `Accept` asks for it, without parameters.
    List<String> mediaTypes();

    /// `application/problem+json`, as the gateway makes it.
    record Standard() implements ErrorForm {
        @Override
        public List<String> mediaTypes() {
            return List.of(Problem.CONTENT_TYPE);
        }
    }

    /// JSON of the API's own.
    record OwnJson(String mediaType, FilledJson body) implements ErrorForm {
        @Override
        public List<String> mediaTypes() {
            return List.of(mediaType);
        }
    }

    /// A page for people, whose values are escaped as HTML.
    record Page(Template page) implements ErrorForm {
        public static final String MEDIA_TYPE = "text/html";

        @Override
        public List<String> mediaTypes() {
            return List.of(MEDIA_TYPE);
        }
    }

    /// A SOAP fault of the version that the request speaks.
    record Fault(Status status) implements ErrorForm {
        /// Which status of HTTP a fault has.
        public enum Status {
            /// That of the problem.
            PROBLEM,
            /// That of SOAP's binding to HTTP, which clients may expect: see [SoapFault#boundStatus].
            BINDING
        }

        @Override
        public List<String> mediaTypes() {
            return List.of(SoapFault.OF_11, SoapFault.OF_12, "application/xml");
        }
    }

    private static JsonPointer fact(String member) {
        return JsonPointer.empty().appendProperty(Exchange.ERROR).appendProperty(member);
    }
}
