package gateway.json;

/// Text may be JSON and is more than is read: too deep, or with a number, a text or a name that is too long.
public final class JsonLimitException extends InvalidConfigException {
    private static final long serialVersionUID = 1L;

    JsonLimitException(String message) {
        super("", message);
    }
}
