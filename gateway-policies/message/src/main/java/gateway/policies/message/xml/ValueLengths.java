package gateway.policies.message.xml;

import javax.xml.XMLConstants;
import javax.xml.validation.TypeInfoProvider;
import javax.xml.validation.ValidatorHandler;
import org.w3c.dom.TypeInfo;
import org.xml.sax.Attributes;
import org.xml.sax.helpers.DefaultHandler;

/// Counts the characters of values that may take a validator longer than their length says: those of types that XML
/// Schema does not bring itself.
final class ValueLengths extends DefaultHandler {
    private static final long MOST_OF_ATTRIBUTES = 4; // texts

    private final int most;
    private final TypeInfoProvider types;
    private int length;
    private boolean counted;

    private ValueLengths(int most, TypeInfoProvider types) {
        this.most = most;
        this.types = types;
    }

    static ValueLengths of(XmlSchemaCheck check, ValidatorHandler validator) {
        if (!check.grammar().hasSlowTexts())
            return new ValueLengths(Integer.MAX_VALUE, validator.getTypeInfoProvider());
        var lengths = new ValueLengths(check.bounds().text(), validator.getTypeInfoProvider());
        validator.setContentHandler(lengths); // is told of each element once its type is known
        return lengths;
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
        TypeInfo type = types.getElementTypeInfo();
        counted = type == null || !isBuiltIn(type);
        length = 0;
    }

    private static boolean isBuiltIn(TypeInfo type) {
        return XMLConstants.W3C_XML_SCHEMA_NS_URI.equals(type.getTypeNamespace())
                && !"language".equals(type.getTypeName());
    }

    /// Those of one element, which are validated at once.
    boolean takes(Attributes attributes) {
        long all = 0;
        for (int i = 0; i < attributes.getLength(); i++) {
            int one = attributes.getValue(i).length();
            if (one > most) return false;
            all += one;
        }
        return all <= MOST_OF_ATTRIBUTES * most;
    }

    boolean takes(int more) {
        if (!counted) return true;
        length += more;
        return length <= most;
    }

    void ended() {
        length = 0;
    }
}
