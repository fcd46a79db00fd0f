package gateway.policies.message.xml;

import java.util.Arrays;
import java.util.Optional;

/// The versions of SOAP (SOAP 1.1; SOAP 1.2 Part 1).
public enum Soap {
    SOAP11("http://schemas.xmlsoap.org/soap/envelope/"),
    SOAP12("http://www.w3.org/2003/05/soap-envelope");

    public static final String ENVELOPE = "Envelope";
    public static final String HEADER = "Header";
    public static final String BODY = "Body";
    public static final String FAULT = "Fault";

    private final String namespace;

    Soap(String namespace) {
        this.namespace = namespace;
    }

    public String namespace() {
        return namespace;
    }

    public static Optional<Soap> of(String namespace) {
        return Arrays.stream(values())
                .filter(each -> each.namespace.equals(namespace))
                .findFirst();
    }
}
