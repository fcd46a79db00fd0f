package gateway.policies.cache;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/// Times as fields write them (RFC 9110 §5.6.7): read in all three forms, whatever day of the week they say, written
/// in the first.
final class FieldDate {
    private static final DateTimeFormatter FIXED = form("EEE, dd MMM yyyy HH:mm:ss 'GMT'");
    private static final DateTimeFormatter AFTER_DAY = form("dd MMM yyyy HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME_AFTER_DAY = form("MMM ppd HH:mm:ss yyyy");

    private static final String USUAL = "ddd, 00 mmm 0000 00:00:00 GMT";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    /// Characters of the short name of a day.
    private static final int DAY = 3;

    /// With the year in two digits: one that seems more than 50 years ahead is the past one.
    private static final int AHEAD = 50;

    private FieldDate() {}

    private static DateTimeFormatter form(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    }

    /// @param now decides which century a year of two digits is of
    static Optional<Instant> read(String text, Instant now) {
        int comma = text.indexOf(',');
        if (comma == DAY) {
            Optional<Instant> usual = usual(text);
            return usual.isPresent() ? usual : parsed(text.substring(comma + 1).strip(), AFTER_DAY);
        }
        if (comma > DAY) return parsed(text.substring(comma + 1).strip(), rfc850(now));
        return text.length() > DAY && text.charAt(DAY) == ' '
                ? parsed(text.substring(DAY + 1), ASCTIME_AFTER_DAY)
                : Optional.empty();
    }

    /// One as nearly all are, such as `Sun, 06 Nov 1994 08:49:37 GMT`, by the places of its digits: the parser of a
    /// form takes some microseconds. Empty for others, which that may know.
    private static Optional<Instant> usual(String text) {
        if (text.length() != USUAL.length()) return Optional.empty();
        for (int i = DAY; i < USUAL.length(); i++) {
            char expected = USUAL.charAt(i);
            char found = text.charAt(i);
            boolean fits = expected == '0' ? found >= '0' && found <= '9' : expected == 'm' || expected == found;
            if (!fits) return Optional.empty();
        }
        int month = MONTHS.indexOf(text.substring(8, 11));
        int year = number(text, 12, 16);
        if (month < 0 || month % 3 != 0 || year == 0) return Optional.empty();
        YearMonth of = YearMonth.of(year, month / 3 + 1);
        int day = number(text, 5, 7);
        int hour = number(text, 17, 19);
        int minute = number(text, 20, 22);
        int second = number(text, 23, 25);
        if (!of.isValidDay(day) || hour > 23 || minute > 59 || second > 59) return Optional.empty();
        return Optional.of(of.atDay(day).atTime(hour, minute, second).toInstant(ZoneOffset.UTC));
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    private static Optional<Instant> parsed(String text, DateTimeFormatter form) {
        try {
            return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static DateTimeFormatter rfc850(Instant now) {
        int base = now.atOffset(ZoneOffset.UTC).getYear() + AHEAD - 99;
        return new DateTimeFormatterBuilder()
                .appendPattern("dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, base)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ROOT);
    }

    static String write(Instant time) {
        return FIXED.format(time.atOffset(ZoneOffset.UTC));
    }
}
