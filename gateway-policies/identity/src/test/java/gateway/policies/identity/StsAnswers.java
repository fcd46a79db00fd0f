package gateway.policies.identity;

/// What security token services answer.
public final class StsAnswers {
    private static final String TRUST = "http://docs.oasis-open.org/ws-sx/ws-trust/200512";

    private StsAnswers() {}

    /// @param word `valid` or `invalid`
    public static String saying(String word) {
        return saying(SoapVersion.SOAP_1_2, word);
    }

    static String saying(SoapVersion soap, String word) {
        return envelope(soap, """
                <t:RequestSecurityTokenResponseCollection xmlns:t="%s"><t:RequestSecurityTokenResponse>\
                <t:TokenType>%s/RSTR/Status</t:TokenType>%s</t:RequestSecurityTokenResponse>\
                </t:RequestSecurityTokenResponseCollection>""".formatted(TRUST, TRUST, status(word)));
    }

    static String status(String word) {
        return "<t:Status><t:Code>" + TRUST + "/status/" + word + "</t:Code></t:Status>";
    }

    static String fault() {
        return envelope(
                SoapVersion.SOAP_1_2,
                "<S:Fault><S:Code><S:Value>S:Sender</S:Value></S:Code><S:Reason><S:Text xml:lang=\"en\">no</S:Text>"
                        + "</S:Reason></S:Fault>");
    }

    private static String envelope(SoapVersion soap, String body) {
        return "<S:Envelope xmlns:S=\"" + soap.namespace() + "\"><S:Header/><S:Body>" + body + "</S:Body></S:Envelope>";
    }
}
