package gateway.policies.message.xml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.validation.ValidatorHandler;
import org.xml.sax.Attributes;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;
import org.xml.sax.helpers.LocatorImpl;

/// Hands the parts of one document that are to be validated to a validator, as they are read.
final class PartValidation extends DefaultHandler {
    private static final int MOST_PARTS = 1000;
    private static final int MOST_AROUND = 2; // levels at which an envelope has no text: entries of its header may

    private static final long NANOS_TO_COMPARE = 2; // two keys, or more

    private record Prefix(int depth, String name, String uri) {}

    private final XmlSchemaCheck check;
    private final PartPlaces places;
    private final ValidatorHandler validator;
    private final ValueLengths lengths;
    private final LongDurations durations = new LongDurations();
    private final long end; // of its time
    private final Deque<Prefix> around = new ArrayDeque<>(); // declared outside of a part, the innermost first
    private final List<String> path = new ArrayList<>();
    private final List<XmlFinding> findings = new ArrayList<>();
    private Locator place = new LocatorImpl();
    private String tooMuch = "";
    private int partDepth; // 0: in none
    private int parts;
    private int keyed;
    private long selected; // elements, once for each constraint

    PartValidation(XmlSchemaCheck check, boolean answer) {
        this.check = check;
        this.places = PartPlaces.of(check.part(), answer);
        this.validator = check.grammar().schema().newValidatorHandler();
        this.validator.setErrorHandler(this);
        this.lengths = ValueLengths.of(check, validator);
        this.end = System.nanoTime() + check.bounds().timeout().toNanos();
    }

    List<XmlFinding> findings() {
        return findings;
    }

    /// What there is too much of; empty: nothing.
    String tooMuch() {
        return tooMuch;
    }

    @Override
    public void setDocumentLocator(Locator locator) {
        place = locator;
        validator.setDocumentLocator(locator);
    }

    @Override
    public void startPrefixMapping(String prefix, String uri) throws SAXException {
        if (partDepth > 0) validator.startPrefixMapping(prefix, uri);
        else around.push(new Prefix(path.size() + 1, prefix, uri));
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) throws SAXException {
        look();
        path.add(local);
        if (partDepth > 0) {
            within(uri, local, name, attributes);
            return;
        }
        switch (places.enter(path.size(), uri, local)) {
            case AROUND, PASSED -> {}
            case WRONG -> {
                find(places.wrong());
                throw new StopReadingException();
            }
            case BEGINS -> begin(uri, local, name, attributes);
        }
    }

    private void begin(String uri, String local, String name, Attributes attributes) throws SAXException {
        if (++parts > MOST_PARTS) throw stop("more than " + MOST_PARTS + " parts that are to be validated");
        if (!check.roots().contains(new XmlName(uri, local))) {
            find("an element that may not stand at the top");
            throw new StopReadingException();
        }
        partDepth = path.size();
        validator.startDocument();
        var declared = new ArrayList<String>();
        for (Prefix each : around) {
            if (declared.contains(each.name())) continue;
            declared.add(each.name());
            validator.startPrefixMapping(each.name(), each.uri());
        }
        within(uri, local, name, attributes);
    }

    private void within(String uri, String local, String name, Attributes attributes) throws SAXException {
        int constraints = check.grammar().constraints(local);
        if (constraints > 0) key(constraints);
        if (!lengths.takes(attributes)) throw tooLong();
        if (check.grammar().hasDurations() && !durations.takes(attributes)) throw tooManyDays();
        validator.startElement(uri, local, name, attributes);
    }

    /// The validator compares at the end of a scope, where nobody can look at a clock.
    private void key(int constraints) throws SAXException {
        if (++keyed > check.bounds().keys())
            throw stop("more than " + check.bounds().keys() + " elements with keys");
        selected += constraints;
        if (selected * keyed * NANOS_TO_COMPARE <= check.bounds().timeout().toNanos()) return;
        throw stop("more comparisons of keys than " + check.bounds().timeout().toMillis() + " ms are for");
    }

    @Override
    public void endElement(String uri, String local, String name) throws SAXException {
        if (partDepth > 0) validator.endElement(uri, local, name);
        lengths.ended();
        durations.begin();
        look();
        if (partDepth == path.size()) {
            validator.endDocument();
            partDepth = 0;
        }
        path.removeLast();
        if (partDepth > 0) return;
        while (!around.isEmpty() && around.peek().depth() > path.size()) around.pop();
    }

    @Override
    public void characters(char[] text, int start, int length) throws SAXException {
        if (partDepth == 0) {
            around(text, start, length);
            return;
        }
        if (!lengths.takes(length)) throw tooLong();
        if (check.grammar().hasDurations() && !durations.takes(text, start, length)) throw tooManyDays();
        validator.characters(text, start, length);
    }

    /// @throws StopReadingException where somebody behind the gateway might read what nobody has validated
    private void around(char[] text, int start, int length) throws SAXException {
        if (places.takesText() || path.size() > MOST_AROUND) return;
        for (int i = start; i < start + length; i++) {
            if (Character.isWhitespace(text[i])) continue;
            find("text around what is validated");
            throw new StopReadingException();
        }
    }

    @Override
    public void endDocument() {
        places.missing().ifPresent(this::find);
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
        String said = String.valueOf(e.getMessage());
        if (XmlRule.repeats(said) && !findings.isEmpty()) return;
        find(XmlRule.words(said));
        if (findings.size() == check.bounds().errors()) throw new StopReadingException();
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
        error(e);
    }

    private void find(String what) {
        findings.add(
                new XmlFinding("/" + String.join("/", path), place.getLineNumber(), place.getColumnNumber(), what));
    }

    /// Within one value nobody can look: those are bounded by their length.
    private void look() throws SAXException {
        if (System.nanoTime() - end < 0) return;
        throw stop("taken more than " + check.bounds().timeout().toMillis() + " ms to validate");
    }

    private SAXException tooLong() {
        int most = check.bounds().text();
        return stop("a value of more than " + most + " characters, or attributes of four times as many");
    }

    private SAXException tooManyDays() {
        return stop("a duration of more than 999,999 days");
    }

    private SAXException stop(String what) {
        tooMuch = what;
        return new StopReadingException();
    }
}
