package gateway.policy;

import java.util.List;
import java.util.Locale;

/// What a client says about media types (`Accept`, RFC 9110 §12.5.1).
public final class AcceptedTypes {
    private static final int MOST = 1024; // characters of all fields: no client says so much about it
    private static final int WHOLE = 1000;

    private AcceptedTypes() {}

    /// How much it likes `type`, in thousandths; 0 when it does not take it. Of the ranges that include a type the most
    /// specific one counts.
    ///
    /// @param fields values of `Accept`
    /// @param type lower case, without parameters
    public static int weight(List<String> fields, String type) {
        int weight = 0;
        int closest = -1;
        int left = MOST;
        for (String field : fields) {
            left -= field.length();
            if (left < 0) return 0;
            for (String element : field.split(",", -1)) {
                String[] parts = element.split(";", -1);
                int closeness = closeness(parts[0].strip().toLowerCase(Locale.ROOT), type);
                if (closeness < 0 || closeness < closest) continue;
                int said = weight(parts);
                weight = closeness > closest ? said : Math.max(weight, said);
                closest = closeness;
            }
        }
        return weight;
    }

    private static int closeness(String range, String type) {
        if (range.equals(type)) return 2;
        if (range.equals("*/*")) return 0;
        return range.endsWith("/*") && type.startsWith(range.substring(0, range.length() - 1)) ? 1 : -1;
    }

    private static int weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.regionMatches(true, 0, "q=", 0, 2)) return quality(parameter.substring(2));
        }
        return WHOLE;
    }

    /// 0, so that it is not taken, for what is none.
    private static int quality(String text) {
        if (text.length() > "0.000".length()) return 0;
        try {
            double quality = Double.parseDouble(text);
            return quality >= 0 && quality <= 1 ? (int) Math.round(quality * WHOLE) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
