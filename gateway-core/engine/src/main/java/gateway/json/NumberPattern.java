package gateway.json;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Regular expressions of texts that hold a whole number within bounds and a unit, which JSON Schema has no other word
/// for. Zeros before a number do not count.
final class NumberPattern {
    private static final long LARGEST = 999_999_999_999L; // as texts are read

    private NumberPattern() {}

    /// See [Durations].
    static String of(Duration min, Duration max) {
        var millis = new LinkedHashMap<String, Long>();
        Durations.UNITS.forEach((unit, one) -> millis.put(unit, one.toMillis()));
        return of(min.toMillis(), max.toMillis(), millis);
    }

    /// See [Sizes].
    static String ofSize(long min, long max) {
        return of(min, max, Sizes.UNITS);
    }

    private static String of(long min, long max, Map<String, Long> units) {
        var unitsByNumbers = new LinkedHashMap<String, List<String>>();
        units.forEach((unit, one) -> {
            long least = Math.ceilDiv(min, one);
            long most = Math.min(max / one, LARGEST);
            if (least <= most)
                unitsByNumbers
                        .computeIfAbsent(between(least, most), _ -> new ArrayList<>())
                        .add(unit);
        });
        var texts = new ArrayList<String>();
        unitsByNumbers.forEach((numbers, all) -> texts.add(numbers + oneOf(all)));
        return "^0*" + oneOf(texts) + '$';
    }

    /// Of numbers without zeros before them: by how many digits they have.
    static String between(long min, long max) {
        var found = new ArrayList<String>();
        if (min == 0) found.add("0");
        int most = digits(max);
        long low = Math.max(min, 1);
        while (low <= max) {
            int length = digits(low);
            boolean whole = low == power(length - 1);
            int last = whole && max == power(most) - 1 ? most : whole ? Math.max(length, most - 1) : length;
            long high = Math.min(max, power(last) - 1);
            found.add(
                    whole && high == power(last) - 1
                            ? "[1-9]" + anyDigits(length - 1, last - 1)
                            : ofOneLength(Long.toString(low), Long.toString(high)));
            low = high + 1;
        }
        return oneOf(found);
    }

    private static String ofOneLength(String low, String high) {
        if (low.isEmpty()) return "";
        char first = low.charAt(0);
        char last = high.charAt(0);
        String lowRest = low.substring(1);
        String highRest = high.substring(1);
        int more = lowRest.length();
        if (first == last) return first + ofOneLength(lowRest, highRest);
        var found = new ArrayList<String>();
        if (!lowRest.equals("0".repeat(more))) found.add(first++ + ofOneLength(lowRest, "9".repeat(more)));
        boolean ends = !highRest.equals("9".repeat(more));
        if (ends) last--;
        if (first <= last) found.add(oneOf(first, last) + anyDigits(more, more));
        if (ends) found.add((char) (last + 1) + ofOneLength("0".repeat(more), highRest));
        return oneOf(found);
    }

    private static String oneOf(char first, char last) {
        return first == last ? Character.toString(first) : "[" + first + '-' + last + ']';
    }

    private static String oneOf(List<String> texts) {
        return texts.size() == 1 ? texts.getFirst() : "(" + String.join("|", texts) + ')';
    }

    private static String anyDigits(int least, int most) {
        if (most == 0) return "";
        if (least == most) return most == 1 ? "[0-9]" : "[0-9]{" + most + '}';
        return "[0-9]{" + least + ',' + most + '}';
    }

    private static int digits(long number) {
        return Long.toString(number).length();
    }

    private static long power(int digits) {
        long power = 1;
        for (int i = 0; i < digits; i++) power *= 10;
        return power;
    }
}
