package gateway.app.memory;

/// The data folder cannot be used as it is; the message says which file and what to do.
public final class DataFolderException extends RuntimeException {
    DataFolderException(String message) {
        super(message, null, false, false);
    }

    DataFolderException(String message, Throwable cause) {
        super(message + ": " + cause, cause, false, false);
    }
}
