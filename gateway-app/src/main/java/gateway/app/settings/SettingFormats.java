package gateway.app.settings;

import gateway.app.settings.Setting.Format;
import gateway.http.Secret;
import gateway.json.Durations;
import gateway.json.Sizes;
import gateway.net.IpRange;
import gateway.net.IpRangeReading;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// How the texts of settings are read.
public final class SettingFormats {
    /// A password may hold anything but a slash, commas too; a comma before a scheme begins the next location.
    private static final Pattern USER = Pattern.compile("//((?!,\\s*[a-z][a-z0-9+.-]*://)[^/])*@");
    private static final Pattern QUERY = Pattern.compile("\\?.*?(?=,\\s*[a-z][a-z0-9+.-]*://|$)", Pattern.DOTALL);
    public static final Format<Address> ADDRESS =
            new Format<>("host:port such as \"127.0.0.1:9090\" or \"[::1]:9090\"", Address::parse);
    static final Format<Optional<Address>> ADDRESS_OR_OFF =
            new Format<>("host:port such as \"0.0.0.0:8080\", or \"off\"", SettingFormats::addressOrOff);
    static final Format<StoreLocation> STORE = new Format<>(
            "\"memory\", or a redis://, rediss://, redis-sentinel:// or redis-cluster:// location",
            StoreLocation::parse);
    public static final Format<String> TEXT = new Format<>("text", SettingFormats::text);
    public static final Format<Optional<Secret>> SECRET =
            new Format<>("text", text -> Optional.of(text(text).map(Secret::new)));
    public static final Format<Path> FOLDER = new Format<>("a folder", SettingFormats::path);
    public static final Format<Path> FILE = new Format<>("a file", SettingFormats::path);
    public static final Format<Optional<Path>> OPTIONAL_FILE = new Format<>("a file", SettingFormats::optionalPath);
    public static final Format<Optional<String>> OPTIONAL_TEXT = new Format<>("text", text -> Optional.of(text(text)));
    public static final Format<List<URI>> HTTP_URIS =
            list(new Format<>("http:// or https:// locations", SettingFormats::http));

    static final Format<IpRange> NETWORK =
            new Format<>("networks such as \"10.0.0.0/8\"", text -> switch (IpRange.parse(text)) {
                case IpRange range -> Optional.of(range);
                case IpRangeReading.Wrong wrong -> Optional.empty();
            });

    public static final Format<Boolean> SWITCH = new Format<>("\"on\" or \"off\"", text -> switch (text) {
        case "on", "true" -> Optional.of(true);
        case "off", "false" -> Optional.of(false);
        default -> Optional.empty();
    });

    private SettingFormats() {}

    private static Optional<Optional<Address>> addressOrOff(String text) {
        Optional<Address> address = Address.parse(text);
        return address.isPresent() || text.equals("off") ? Optional.of(address) : Optional.empty();
    }

    public static Format<Integer> wholeNumber(int min, int max) {
        return new Format<>("a whole number from " + min + " to " + max, text -> {
            if (!text.matches("\\d{1,9}")) return Optional.empty();
            int number = Integer.parseInt(text);
            return number < min || number > max ? Optional.empty() : Optional.of(number);
        });
    }

    public static Format<Duration> duration(Duration min, Duration max) {
        return new Format<>(
                "a duration from " + Durations.text(min) + " to " + Durations.text(max) + " such as \"30s\"",
                text -> Durations.parse(text).filter(found -> found.compareTo(min) >= 0 && found.compareTo(max) <= 0));
    }

    public static <E extends Enum<E>> Format<E> choice(Class<E> type, Function<E, String> name) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        return new Format<>(
                "one of "
                        + constants.stream()
                                .map(c -> "\"" + name.apply(c) + "\"")
                                .collect(Collectors.joining(", ")),
                text -> constants.stream()
                        .filter(c -> name.apply(c).equals(text))
                        .findFirst());
    }

    public static Format<Long> size(long min) {
        return new Format<>(
                "a size such as \"64MiB\", " + min + " bytes or more",
                text -> Sizes.parse(text).filter(found -> found >= min));
    }

    public static Format<String> matching(String expected, String pattern) {
        return new Format<>(expected, text -> Optional.of(text).filter(found -> found.matches(pattern)));
    }

    /// How a secret is printed.
    public static String hidden(String text) {
        return text.isEmpty() ? "" : "***";
    }

    /// How locations are printed: without the user that they may name.
    static String hiddenUser(String locations) {
        return USER.matcher(locations).replaceAll("//***@");
    }

    /// The same, and without the query, in which keys are handed over too.
    public static String hiddenUserAndQuery(String locations) {
        return QUERY.matcher(hiddenUser(locations)).replaceAll("?***");
    }

    /// A comma-separated list; empty text is an empty list.
    public static <T> Format<List<T>> list(Format<T> element) {
        return new Format<>("a list of " + element.expected(), text -> {
            List<String> parts = Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty())
                    .toList();
            List<T> read =
                    parts.stream().map(element.read()).flatMap(Optional::stream).toList();
            return read.size() == parts.size() ? Optional.of(read) : Optional.empty();
        });
    }

    public static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Optional<String> text(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(text);
    }

    private static Optional<Path> path(String text) {
        try {
            return text(text).map(Path::of);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<Optional<Path>> optionalPath(String text) {
        Optional<Path> path = path(text);
        return path.isPresent() || text.isBlank() ? Optional.of(path) : Optional.empty();
    }

    private static Optional<URI> http(String text) {
        try {
            URI uri = URI.create(text);
            boolean usable =
                    uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
            return usable ? Optional.of(uri) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
