package gateway.policies.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What a client says about content codings (`Accept-Encoding`, RFC 9110 §12.5.3).
final class AcceptedCodings {
    private static final int MOST = 4 * 1024; // characters: no client says so much about it
    private static final int UNSAID = -1;
    private static final int WHOLE = 1000;

    private final List<Packing> offered;
    private final int[] named;
    private int any = UNSAID;
    private int plain = UNSAID;

    private AcceptedCodings(List<Packing> offered) {
        this.offered = offered;
        this.named = new int[offered.size()];
        Arrays.fill(named, UNSAID);
    }

    /// Those that a client takes that sends these values, and likes no less than plain content: what it likes best
    /// first, as offered where it likes them the same. One that says nothing asks for none.
    static List<Packing> of(List<Packing> offered, List<String> fields) {
        if (fields.isEmpty()) return List.of();
        var said = new AcceptedCodings(offered);
        for (String field : fields) {
            if (field.length() > MOST) return List.of();
            for (String element : field.split(",", -1)) said.read(element);
        }
        return said.taken();
    }

    private void read(String element) {
        int end = element.indexOf(';');
        String name = (end < 0 ? element : element.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        int weight = end < 0 ? WHOLE : weight(element.substring(end + 1));
        if (name.equals("*")) any = Math.max(any, weight);
        else if (name.equals("identity")) plain = Math.max(plain, weight);
        for (int i = 0; i < named.length; i++) {
            if (isName(name, offered.get(i))) named[i] = Math.max(named[i], weight);
        }
    }

    private static boolean isName(String name, Packing packing) {
        return name.equals(packing.coding()) || (packing == Packing.GZIP && name.equals("x-gzip"));
    }

    private List<Packing> taken() {
        var taken = new ArrayList<Packing>(named.length);
        for (int i = 0; i < named.length; i++) if (isTaken(i)) taken.add(offered.get(i));
        if (taken.size() > 1) taken.sort((one, other) -> Integer.compare(weightOf(other), weightOf(one)));
        return taken;
    }

    private boolean isTaken(int index) {
        int weight = weightOf(offered.get(index));
        return weight > 0 && weight >= plain;
    }

    /// `*` stands for gzip alone: not all that says so knows what is newer.
    private int weightOf(Packing packing) {
        int weight = named[offered.indexOf(packing)];
        return weight == UNSAID && packing == Packing.GZIP ? any : weight;
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
