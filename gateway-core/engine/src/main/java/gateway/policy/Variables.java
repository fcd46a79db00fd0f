package gateway.policy;

import gateway.http.Exchange;
import gateway.json.TextCut;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/// Names of variables, as definitions write them: `var.tenant`. What a policy leaves in one, those that follow find
/// in templates (`{var.tenant}`) and conditions, as the fact `/var/tenant`.
public final class Variables {
    private static final String PREFIX = "var.";
    private static final int LONGEST = 1_024;
    /// Of [#isName].
    public static final Pattern FORM = Pattern.compile("var\\.[A-Za-z_][A-Za-z0-9_-]{0,63}");
    private static final JsonPointer ALL = JsonPointer.empty().appendProperty(Exchange.VARIABLES);

    private Variables() {}

    public static boolean isName(String text) {
        return FORM.matcher(text).matches();
    }

    /// What [Exchange#variable] calls it.
    ///
    /// @param name such as `var.tenant`
    public static String bare(String name) {
        return name.substring(PREFIX.length());
    }

    /// What is kept of `value`: its beginning, without the half of a character.
    public static String bounded(String value) {
        return TextCut.of(value, LONGEST);
    }

    /// Where its value lies among the facts.
    ///
    /// @param name such as `var.tenant`
    public static JsonPointer place(String name) {
        return ALL.appendProperty(bare(name));
    }
}
