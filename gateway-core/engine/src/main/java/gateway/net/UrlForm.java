package gateway.net;

import java.util.regex.Pattern;

/// How URLs look that `java.net.URI` reads as having a host, for schemas: what does not look so is none.
public final class UrlForm {
    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?";
    private static final String NAME = "(" + LABEL + "\\.)*[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?\\.?";
    private static final String HOST =
            "(" + NAME + "|" + IpRange.IPV4.pattern() + "|\\[" + IpRange.IPV6.pattern() + "\\])";
    private static final String PORT =
            "(:(0*([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?)?";
    private static final String CHARACTER = "[A-Za-z0-9_.!~*'();:@&=+$,/-]|%[0-9A-Fa-f]{2}";
    private static final String OTHER = "[^\\x00-\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
    private static final String LOOPBACK = "(localhost|\\[::1\\]|127(\\.[0-9]{1,3}){3})";

    /// Scheme, host and port of `http` or `https`.
    public static final Pattern ORIGIN = Pattern.compile("https?://" + HOST + PORT);

    /// The same with a path, of which no segment is a dot or two, or empty but the last.
    public static final Pattern BASE = Pattern.compile(ORIGIN.pattern()
            + "((/SEGMENT)*/?)"
                    .replace("SEGMENT", "(OTHER(ANY)*|\\.OTHER(ANY)*|\\.\\.(ANY)+)")
                    .replace("OTHER", "([A-Za-z0-9_!~*'();:@&=+$,-]|%[0-9A-Fa-f]{2}|" + OTHER + ")")
                    .replace("ANY", "[A-Za-z0-9_.!~*'();:@&=+$,-]|%[0-9A-Fa-f]{2}|" + OTHER));

    /// The same with a path and a query in ASCII.
    public static final Pattern PLACE =
            Pattern.compile(ORIGIN.pattern() + "(/(" + CHARACTER + ")*)?(\\?(" + CHARACTER + "|[?\\[\\]])*)?");

    /// The same with a fragment and in any characters.
    public static final Pattern LINK =
            Pattern.compile(("https?://" + HOST + "(:[0-9]{0,9})?(/(PATH)*)?(\\?(QUERY)*)?(#(QUERY)*)?")
                    .replace("PATH", CHARACTER + "|" + OTHER)
                    .replace("QUERY", CHARACTER + "|[?\\[\\]]|" + OTHER));

    /// Of `ldap` or `ldaps`.
    public static final Pattern DIRECTORY = Pattern.compile("ldaps?://" + HOST + "(:[0-9]{0,9})?");

    /// What is spoken to in secret, or leads to this machine.
    public static final Pattern SECRET =
            Pattern.compile("[a-z]+s:[\\s\\S]*|[a-z]+://" + LOOPBACK + "([:/?][\\s\\S]*)?");

    private UrlForm() {}
}
