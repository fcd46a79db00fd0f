package gateway.policies.identity;

import gateway.service.CallRequest;
import java.util.Optional;

/// The versions of SOAP, and how requests of each go by HTTP.
enum SoapVersion {
    SOAP_1_1("http://schemas.xmlsoap.org/soap/envelope/"),
    SOAP_1_2("http://www.w3.org/2003/05/soap-envelope");

    private final String namespace;

    SoapVersion(String namespace) {
        this.namespace = namespace;
    }

    String namespace() {
        return namespace;
    }

    static Optional<SoapVersion> of(String namespace) {
        for (SoapVersion each : values()) if (each.namespace.equals(namespace)) return Optional.of(each);
        return Optional.empty();
    }

    /// @param action what it asks for, a URI
    CallRequest request(String path, String action, byte[] envelope) {
        return switch (this) {
            case SOAP_1_1 ->
                CallRequest.post(path, "text/xml; charset=utf-8", envelope).with("SOAPAction", '"' + action + '"');
            case SOAP_1_2 ->
                CallRequest.post(path, "application/soap+xml; charset=utf-8; action=\"" + action + '"', envelope);
        };
    }
}
