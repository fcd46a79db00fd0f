package gateway.policies.message;

import java.util.List;
import java.util.Locale;

/// What a client says about content codings (`Accept-Encoding`, RFC 9110 §12.5.3).
final class AcceptedCodings {
    private static final int MOST = 4 * 1024; // characters: no client says so much about it
    private static final int UNSAID = -1;
    private static final int WHOLE = 1000;

    private AcceptedCodings() {}

    /// Whether a client that sends these values takes `coding`, and likes it no less than plain content. One that says
    /// nothing does not ask for it.
    static boolean prefer(String coding, List<String> fields) {
        int own = UNSAID;
        int any = UNSAID;
        int plain = UNSAID;
        for (String field : fields) {
            if (field.length() > MOST) return false;
            for (String element : field.split(",", -1)) {
                int end = element.indexOf(';');
                String name =
                        (end < 0 ? element : element.substring(0, end)).strip().toLowerCase(Locale.ROOT);
                int weight = end < 0 ? WHOLE : weight(element.substring(end + 1));
                if (name.equals(coding) || name.equals("x-" + coding)) own = Math.max(own, weight);
                else if (name.equals("*")) any = Math.max(any, weight);
                else if (name.equals("identity")) plain = Math.max(plain, weight);
            }
        }
        int weight = own == UNSAID ? any : own;
        return weight > 0 && weight >= plain;
    }

    /// In thousandths; 0, so that it is not taken, for what is none.
    private static int weight(String parameter) {
        String text = parameter.strip();
        if (!text.regionMatches(true, 0, "q=", 0, 2) || text.length() > "q=0.000".length()) return 0;
        try {
            double weight = Double.parseDouble(text.substring(2));
            return weight >= 0 && weight <= 1 ? (int) Math.round(weight * WHOLE) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
