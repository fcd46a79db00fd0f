package gateway.policies.identity;

import gateway.json.Json;
import gateway.service.Sha256;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads what an assertion says.
final class AssertionReader {
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");
    private static final int LONGEST_TIME = 40;

    /// Conditions that are understood; another one, such as an extension, makes the whole unclear.
    private static final Set<String> CONDITIONS = Set.of("AudienceRestriction", "OneTimeUse", "ProxyRestriction");

    private final Element assertion;

    private AssertionReader(Element assertion) {
        this.assertion = assertion;
    }

    /// @param assertion as it was signed
    /// @throws BadAssertionException when it is not what SAML calls an assertion
    static SamlAssertion read(Element assertion) {
        return new AssertionReader(assertion).read();
    }

    private SamlAssertion read() {
        if (!assertion.getAttribute("Version").equals("2.0")) throw new BadAssertionException(AssertionFlaw.VERSION);
        String issuer = SamlElement.text(SamlElement.saml("Issuer").onlyIn(assertion, AssertionFlaw.ISSUER));
        Element subject = SamlElement.saml("Subject").onlyIn(assertion, AssertionFlaw.SUBJECT);
        Element conditions = SamlElement.saml("Conditions").onlyIn(assertion, AssertionFlaw.TIMES);
        Optional<Element> statement = SamlElement.saml("AuthnStatement").in(assertion);
        return new SamlAssertion(
                assertion.getAttribute("ID"),
                issuer,
                required(assertion, "IssueInstant"),
                time(conditions, "NotBefore"),
                required(conditions, "NotOnOrAfter"),
                audiences(conditions),
                SamlElement.saml("OneTimeUse").in(conditions).isPresent(),
                confirmations(subject),
                statement.map(it -> required(it, "AuthnInstant")),
                statement.flatMap(it -> time(it, "SessionNotOnOrAfter")),
                claims(issuer, subject, statement));
    }

    private static List<Set<String>> audiences(Element conditions) {
        var found = new ArrayList<Set<String>>();
        for (Element each : SamlElement.children(conditions)) {
            String name = each.getLocalName();
            if (!SamlElement.saml(name).is(each) || !CONDITIONS.contains(name)) {
                throw new BadAssertionException(AssertionFlaw.CONDITION);
            }
            if (!name.equals("AudienceRestriction")) continue;
            var audiences = new HashSet<String>();
            for (Element audience : SamlElement.saml("Audience").allIn(each)) audiences.add(SamlElement.text(audience));
            found.add(audiences);
        }
        return found;
    }

    private static List<SamlConfirmation> confirmations(Element subject) {
        var found = new ArrayList<SamlConfirmation>();
        for (Element each : SamlElement.saml("SubjectConfirmation").allIn(subject)) {
            Optional<Element> data = SamlElement.saml("SubjectConfirmationData").in(each);
            found.add(new SamlConfirmation(
                    each.getAttribute("Method"),
                    data.flatMap(it -> time(it, "NotBefore")),
                    data.flatMap(it -> time(it, "NotOnOrAfter")),
                    data.filter(it -> it.hasAttribute("Recipient")).map(it -> it.getAttribute("Recipient")),
                    data.map(AssertionReader::certificates).orElse(List.of())));
        }
        return found;
    }

    /// Of holders of a key (SAML V2.0 Holder-of-Key Assertion Profile §2.4).
    private static List<String> certificates(Element data) {
        var shown = new ArrayList<byte[]>();
        for (Element info : SamlElement.dsig("KeyInfo").allIn(data)) {
            for (Element each : SamlElement.dsig("X509Data").allIn(info)) {
                AssertionSignature.addCertificates(each, shown);
            }
        }
        return shown.stream().map(AssertionReader::sha256).toList();
    }

    private static ObjectNode claims(String issuer, Element subject, Optional<Element> statement) {
        ObjectNode claims = Json.mapper().createObjectNode();
        claims.put("issuer", issuer);
        SamlElement.saml("NameID").in(subject).ifPresent(name -> {
            claims.put("name-id", SamlElement.text(name));
            if (name.hasAttribute("Format")) claims.put("name-id-format", name.getAttribute("Format"));
        });
        statement
                .filter(it -> it.hasAttribute("SessionIndex"))
                .ifPresent(it -> claims.put("session", it.getAttribute("SessionIndex")));
        for (Element each : SamlElement.saml("AttributeStatement").allIn((Element) subject.getParentNode())) {
            for (Element attribute : SamlElement.saml("Attribute").allIn(each)) addAttribute(attribute, claims);
        }
        return claims;
    }

    /// One value is a text, several are a list. What is more than text is left out.
    private static void addAttribute(Element attribute, ObjectNode to) {
        String name = "attribute:" + attribute.getAttribute("Name");
        for (Element each : SamlElement.saml("AttributeValue").allIn(attribute)) {
            if (!SamlElement.children(each).isEmpty()) continue;
            String value = SamlElement.text(each);
            JsonNode known = to.get(name);
            if (known == null) to.put(name, value);
            else if (known.isArray()) ((ArrayNode) known).add(value);
            else to.putArray(name).add(known.stringValue()).add(value);
        }
    }

    private static Instant required(Element element, String attribute) {
        return time(element, attribute).orElseThrow(() -> new BadAssertionException(AssertionFlaw.TIMES));
    }

    private static Optional<Instant> time(Element element, String attribute) {
        if (!element.hasAttribute(attribute)) return Optional.empty();
        String text = element.getAttribute(attribute);
        try {
            Instant time = text.length() > LONGEST_TIME ? Instant.MAX : Instant.parse(text);
            if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) return Optional.of(time);
        } catch (DateTimeException e) {
            // told below, as any other text that is no time
        }
        throw new BadAssertionException(AssertionFlaw.TIMES);
    }

    private static String sha256(byte[] certificate) {
        return HexFormat.of().formatHex(Sha256.of(certificate));
    }
}
