package gateway.policies.message.wss;

import gateway.http.Exchange;
import gateway.json.Json;
import gateway.policies.cryptography.Cryptography;
import gateway.policies.cryptography.KeyKind;
import gateway.policies.cryptography.PublicKeys;
import gateway.policies.cryptography.XmlSignatures;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/// Verifies who has signed a message: the elements that were digested are those that go on, by identity.
record SoapSignatureCheck(SoapVerifyStep step, SoapTrust.Signers signers, SecurityPlace place)
        implements SecurityAction {
    /// Keys that are tried for a message; more only wait for one that says which it is.
    private static final int MOST_TRIED = 8;

    /// Keys that are tried while the thread of the connection waits.
    private static final int FEW = 2;

    @Override
    public void apply(SoapMessage message, Exchange exchange) {
        List<Element> signatures = SecurityName.SIGNATURE.allIn(message.requiredSecurity());
        if (signatures.isEmpty()) throw new BadSecurityException(SecurityFlaw.UNSIGNED);
        if (signatures.size() > 1) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
        var form = SoapSignatureForm.read(signatures.getFirst(), message, step.algorithms());
        for (MessagePart each : step.parts()) requireSigned(each.in(message), form);
        KeyHint hint = KeyHint.in(form.signature(), message);
        X509Certificate signer = place.work().on(isSlow(form, hint), message.bytes(), () -> signer(form, hint));
        tell(exchange, signer, form);
    }

    private static void requireSigned(Optional<Element> part, SoapSignatureForm form) {
        boolean signed = part.isPresent()
                && form.targets().stream().anyMatch(id -> part.get().isSameNode(id.getOwnerElement()));
        if (!signed) throw new BadSecurityException(SecurityFlaw.UNSIGNED);
    }

    private boolean isSlow(SoapSignatureForm form, KeyHint hint) {
        boolean many = signers instanceof SoapTrust.Given given
                && given.candidates(hint, place.services().clock().instant()).size() > FEW;
        return many
                || (!form.algorithm().fits(KeyKind.RSA)
                        && Cryptography.ofProcess().isSlow(KeyKind.P256));
    }

    private X509Certificate signer(SoapSignatureForm form, KeyHint hint) {
        int tried = 0;
        for (X509Certificate each :
                signers.candidates(hint, place.services().clock().instant())) {
            KeyKind kind =
                    PublicKeys.of(each.getPublicKey(), "", "").orElseThrow().kind();
            if (!form.algorithm().fits(kind)) continue;
            if (++tried > MOST_TRIED) break;
            if (holds(form, each)) return each;
        }
        throw new BadSecurityException(tried > 0 ? SecurityFlaw.SIGNATURE : SecurityFlaw.UNKNOWN_KEY);
    }

    private static boolean holds(SoapSignatureForm form, X509Certificate signer) {
        List<Attr> targets = form.targets();
        return XmlSignatures.areOf(XmlSignatures.verified(form.signature(), signer.getPublicKey(), targets), targets);
    }

    private void tell(Exchange exchange, X509Certificate signer, SoapSignatureForm form) {
        String subject = signer.getSubjectX500Principal().getName(X500Principal.RFC2253);
        boolean nameless = step.names() && subject.isEmpty(); // all of those would be one caller (RFC 5280 §4.1.2.6)
        if (nameless) throw new BadSecurityException(SecurityFlaw.UNKNOWN_KEY);
        exchange.found(
                place.facts(),
                Json.mapper()
                        .createObjectNode()
                        .put("subject", subject)
                        .put("algorithm", form.algorithm().word()));
        if (step.names()) exchange.authenticated(new SoapCaller("x509:" + subject, subject, List.of()));
    }
}
