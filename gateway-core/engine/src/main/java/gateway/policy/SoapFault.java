package gateway.policy;

import gateway.http.Problem;
import gateway.json.ConfigProblem;

/// A problem as a SOAP fault (SOAP 1.1 §4.4; SOAP 1.2 Part 1 §5.4). Whose fault it is, its status tells.
final class SoapFault {
    static final String OF_11 = "text/xml";
    static final String OF_12 = "application/soap+xml";

    private static final int FIRST_OF_SERVER = 500;
    private static final String TEXT_11 = """
            <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>\
            <faultcode>soap:%s</faultcode><faultstring>%s</faultstring><detail>%s</detail></soap:Fault></soap:Body>\
            </soap:Envelope>""";
    private static final String TEXT_12 = """
            <soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><soap:Fault>\
            <soap:Code><soap:Value>soap:%s</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">%s</soap:Text>\
            </soap:Reason><soap:Detail>%s</soap:Detail></soap:Fault></soap:Body></soap:Envelope>""";

    private SoapFault() {}

    /// @param newer in SOAP 1.2
    /// @param status that the client gets
    static String of(boolean newer, Problem problem, int status, String requestId) {
        String detail = """
                <problem xmlns="urn:gateway:problem"><type>urn:gateway:problem:%s</type><title>%s</title>\
                <status>%s</status><requestId>%s</requestId>%s</problem>""".formatted(
                        escaped(problem.type()),
                        escaped(problem.title()),
                        Integer.toString(status),
                        escaped(requestId),
                        errors(problem));
        boolean ofServer = status >= FIRST_OF_SERVER;
        String code = newer ? (ofServer ? "Receiver" : "Sender") : (ofServer ? "Server" : "Client");
        return (newer ? TEXT_12 : TEXT_11).formatted(code, escaped(problem.detail()), detail);
    }

    private static String errors(Problem problem) {
        if (problem.errors().isEmpty()) return "";
        var errors = new StringBuilder("<errors>");
        for (ConfigProblem each : problem.errors()) {
            errors.append("<error>");
            if (!each.in().isEmpty()) add("in", each.in(), errors);
            add("pointer", each.pointer(), errors);
            add("message", each.message(), errors);
            errors.append("</error>");
        }
        return errors.append("</errors>").toString();
    }

    private static void add(String name, String value, StringBuilder to) {
        to.append('<').append(name).append('>').append(escaped(value));
        to.append("</").append(name).append('>');
    }

    /// The status that SOAP's binding to HTTP has for a fault: 500 (SOAP 1.1 §6.2), and by SOAP 1.2 (Part 2 §7.5.2.2)
    /// 400 for one of the sender.
    static int boundStatus(boolean newer, int status) {
        return newer && status < FIRST_OF_SERVER ? 400 : 500;
    }

    private static String escaped(String value) {
        return TemplatePlace.XML.escaped(value);
    }
}
