package gateway.app.log;

/// The form of the operator's log.
public enum LogFormat {
    /// One line for people; stack traces below it.
    TEXT,
    /// One JSON object a line, with the field names of the Elastic Common Schema.
    JSON
}
