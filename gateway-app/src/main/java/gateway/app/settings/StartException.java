package gateway.app.settings;

import java.util.Optional;

/// The process cannot start, for a reason that its operator can mend.
public final class StartException extends RuntimeException {
    public StartException(String message) {
        super(message, null, false, false);
    }

    public static StartException cannotListen(Address address, Setting<?> setting, Exception cause) {
        return new StartException(
                "cannot listen on " + address + ": " + reasons(cause) + "; set " + setting.variable());
    }

    /// The messages of a failure and its causes.
    public static String reasons(Throwable failure) {
        var text = new StringBuilder(Optional.ofNullable(failure.getMessage()).orElse(failure.toString()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            String message = Optional.ofNullable(cause.getMessage()).orElse(cause.toString());
            if (text.indexOf(message) < 0) text.append(": ").append(message);
        }
        return text.toString();
    }
}
