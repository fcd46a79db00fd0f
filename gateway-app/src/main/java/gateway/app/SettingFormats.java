package gateway.app;

import gateway.app.Setting.Format;
import gateway.http.IpRange;
import gateway.http.IpRangeReading;
import gateway.json.Durations;
import gateway.key.Secret;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// How the texts of settings are read.
final class SettingFormats {
    static final Format<Address> ADDRESS =
            new Format<>("host:port such as \"127.0.0.1:9090\" or \"[::1]:9090\"", Address::parse);
    static final Format<StoreLocation> STORE = new Format<>(
            "\"memory\", or a redis://, rediss://, redis-sentinel:// or redis-cluster:// location",
            StoreLocation::parse);
    static final Format<String> TEXT = new Format<>("text", SettingFormats::text);
    static final Format<Optional<Secret>> SECRET =
            new Format<>("text", text -> Optional.of(text(text).map(Secret::new)));
    static final Format<Path> FOLDER = new Format<>("a folder", SettingFormats::path);
    static final Format<Optional<URI>> HTTP_URI = new Format<>("an http:// or https:// location", SettingFormats::http);

    static final Format<IpRange> NETWORK =
            new Format<>("networks such as \"10.0.0.0/8\"", text -> switch (IpRange.parse(text)) {
                case IpRange range -> Optional.of(range);
                case IpRangeReading.Wrong wrong -> Optional.empty();
            });

    private SettingFormats() {}

    static Format<Integer> wholeNumber(int min, int max) {
        return new Format<>("a whole number from " + min + " to " + max, text -> {
            if (!text.matches("\\d{1,9}")) return Optional.empty();
            int number = Integer.parseInt(text);
            return number < min || number > max ? Optional.empty() : Optional.of(number);
        });
    }

    static Format<Duration> duration(Duration min, Duration max) {
        return new Format<>(
                "a duration from " + Durations.text(min) + " to " + Durations.text(max) + " such as \"30s\"",
                text -> Durations.parse(text).filter(found -> found.compareTo(min) >= 0 && found.compareTo(max) <= 0));
    }

    static <E extends Enum<E>> Format<E> choice(Class<E> type, Function<E, String> name) {
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

    /// A comma-separated list; empty text is an empty list.
    static <T> Format<List<T>> list(Format<T> element) {
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

    static String lowerCase(Enum<?> constant) {
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

    private static Optional<Optional<URI>> http(String text) {
        if (text.isEmpty()) return Optional.of(Optional.empty());
        try {
            URI uri = URI.create(text);
            boolean usable =
                    uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
            return usable ? Optional.of(Optional.of(uri)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
