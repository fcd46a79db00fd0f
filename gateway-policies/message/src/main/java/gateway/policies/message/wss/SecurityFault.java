package gateway.policies.message.wss;

import gateway.http.Response;
import gateway.policies.message.xml.Soap;
import java.nio.charset.StandardCharsets;

/// A SOAP fault by which a message is refused (SOAP Message Security 1.1 §12). SOAP 1.1 has 500 for each fault, 1.2 has
/// 400 for those of the sender.
final class SecurityFault {
    private static final String SOAP11 = """
            <soap:Envelope xmlns:soap="%s"><soap:Body><soap:Fault><faultcode xmlns:wsse="%s">wsse:%s</faultcode>\
            <faultstring>%s</faultstring></soap:Fault></soap:Body></soap:Envelope>""";
    private static final String SOAP12 = """
            <soap:Envelope xmlns:soap="%s"><soap:Body><soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value>\
            <soap:Subcode><soap:Value xmlns:wsse="%s">wsse:%s</soap:Value></soap:Subcode></soap:Code>\
            <soap:Reason><soap:Text xml:lang="en">%s</soap:Text></soap:Reason></soap:Fault></soap:Body>\
            </soap:Envelope>""";

    private SecurityFault() {}

    /// @param reason as records tell it
    static Response of(Soap version, SecurityFlaw flaw, String reason) {
        boolean old = version == Soap.SOAP11;
        String fault =
                (old ? SOAP11 : SOAP12).formatted(version.namespace(), SecurityName.WSSE, flaw.fault(), flaw.told());
        String type = old ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8";
        return Response.of(old ? 500 : 400, type, fault.getBytes(StandardCharsets.UTF_8))
                .because(reason);
    }
}
