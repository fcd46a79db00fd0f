package gateway.policies.standard;

import gateway.json.ConfigNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The origins that CORS lets in (RFC 6454 §6.2): exact ones, all subdomains of a host (`https://*.example.com`),
/// or `*`.
///
/// @param any whether `*` is among them
record AllowedOrigins(boolean any, Set<String> exact, List<Subdomains> subdomains) {
    private static final Pattern FORM =
            Pattern.compile("[a-z][a-z0-9+.-]*://(\\*\\.[a-z0-9.-]+|[a-z0-9.-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");
    private static final Pattern FORM_OR_ANY = Pattern.compile("\\*|" + FORM.pattern());
    private static final int LONGEST = 512;

    AllowedOrigins {
        exact = Set.copyOf(exact);
        subdomains = List.copyOf(subdomains);
    }

    /// @param before such as `https://`
    /// @param after such as `.example.com:8443`
    record Subdomains(String before, String after) {
        boolean contains(String origin) {
            int end = origin.length() - after.length();
            if (end <= before.length() || !origin.startsWith(before) || !origin.endsWith(after)) return false;
            for (int i = before.length(); i < end; i++) {
                char c = origin.charAt(i);
                boolean inHost = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
                if (!inHost) return false;
            }
            return true;
        }
    }

    static AllowedOrigins read(ConfigNode node) {
        List<String> texts = node.list(AllowedOrigins::readOne);
        node.extent(1, Integer.MAX_VALUE);
        if (texts.isEmpty() && (!node.isPresent() || node.json().orElseThrow().isArray())) {
            node.problem("expected at least one origin such as \"https://app.example.com\", got none");
        }
        var exact = new HashSet<String>(texts);
        exact.remove("*");
        exact.removeIf(text -> text.contains("*"));
        return new AllowedOrigins(
                texts.contains("*"),
                exact,
                texts.stream()
                        .filter(text -> text.contains("://*."))
                        .map(AllowedOrigins::subdomains)
                        .toList());
    }

    boolean contains(String origin) {
        if (any || exact.contains(origin)) return true;
        for (int i = 0; i < subdomains.size(); i++) {
            if (subdomains.get(i).contains(origin)) return true;
        }
        return false;
    }

    private static Subdomains subdomains(String text) {
        int star = text.indexOf('*');
        return new Subdomains(text.substring(0, star), text.substring(star + 1));
    }

    private static String readOne(ConfigNode node) {
        String text = node.like(FORM_OR_ANY).requiredText();
        boolean sound = text.equals("*")
                || (text.length() <= LONGEST && FORM.matcher(text).matches());
        if (!text.isEmpty() && !sound) {
            node.problem("expected \"*\" or a lower-case origin without path such as \"https://app.example.com\" or"
                    + " \"https://*.example.com\", got \"" + text + "\"");
        }
        return text;
    }
}
