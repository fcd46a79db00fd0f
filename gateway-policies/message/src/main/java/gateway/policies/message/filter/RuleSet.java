package gateway.policies.message.filter;

import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.regex.Regex;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Rules that have a name, written down once for all. Those of a file stand in it a line each: literals, `=>`, and an
/// expression that is looked for where one of them is. Several lists of literals stand with ` + ` between them: the
/// expression is looked for where one of each is.
enum RuleSet {
    SQL_INJECTION,
    CROSS_SITE_SCRIPTING,
    PATH_TRAVERSAL,
    COMMAND_INJECTION,
    JNDI,
    PAYMENT_CARD,
    IBAN,
    EMAIL,
    PRIVATE_KEY,
    JWT;

    private static final String ARROW = " => ";
    private static final Pattern AND = Pattern.compile(" \\+ ");
    private static final Pattern BLANKS = Pattern.compile(" +");

    List<TextFinder> finders() {
        return switch (this) {
            case PAYMENT_CARD -> List.of(new CardFinder());
            case IBAN -> List.of(new IbanFinder());
            case SQL_INJECTION,
                    CROSS_SITE_SCRIPTING,
                    PATH_TRAVERSAL,
                    COMMAND_INJECTION,
                    JNDI,
                    EMAIL,
                    PRIVATE_KEY,
                    JWT -> written();
        };
    }

    private List<TextFinder> written() {
        var finders = new ArrayList<TextFinder>();
        for (String line : text().lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) continue;
            int arrow = line.indexOf(ARROW);
            List<List<String>> literals = AND.splitAsStream(line.substring(0, arrow))
                    .map(list -> List.of(BLANKS.split(list.strip())))
                    .toList();
            ConfigNode expression =
                    ConfigNode.of(Json.mapper().getNodeFactory().stringNode(line.substring(arrow + ARROW.length())));
            Regex regex = Regex.read(expression, true);
            expression.throwIfInvalid();
            finders.add(new RegexFinder(regex, literals.getFirst(), literals.subList(1, literals.size())));
        }
        return finders;
    }

    private String text() {
        String file = ConfigNode.word(this) + ".rules";
        try (InputStream in = RuleSet.class.getResourceAsStream(file)) {
            if (in == null) throw new IllegalStateException("the jar lacks " + file);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
