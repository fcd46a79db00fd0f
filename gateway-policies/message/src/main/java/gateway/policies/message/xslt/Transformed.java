package gateway.policies.message.xslt;

import gateway.http.Body;
import gateway.http.Problem;

/// How a transformation has ended.
sealed interface Transformed {
    /// @param type of the content
    record Made(Body content, String type) implements Transformed {}

    /// The message is not one to be transformed.
    record Refused(Problem problem) implements Transformed {}

    /// The stylesheet is at fault.
    record Failed(Problem problem) implements Transformed {}
}
