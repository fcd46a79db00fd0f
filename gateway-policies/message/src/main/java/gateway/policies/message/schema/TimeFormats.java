package gateway.policies.message.schema;

import java.time.YearMonth;

/// RFC 3339: dates, times and durations.
final class TimeFormats {
    private static final int NONE = Integer.MIN_VALUE;

    private TimeFormats() {}

    static boolean isDateTime(String text) {
        return text.length() > 10
                && (text.charAt(10) == 'T' || text.charAt(10) == 't')
                && isDate(text.substring(0, 10))
                && isTime(text.substring(11));
    }

    static boolean isDate(String text) {
        if (text.length() != 10 || text.charAt(4) != '-' || text.charAt(7) != '-') return false;
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        return year >= 0
                && month >= 1
                && month <= 12
                && day >= 1
                && YearMonth.of(year, month).isValidDay(day);
    }

    static boolean isTime(String text) {
        if (text.length() < 9 || text.charAt(2) != ':' || text.charAt(5) != ':') return false;
        int hour = number(text, 0, 2);
        int minute = number(text, 3, 5);
        int second = number(text, 6, 8);
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
        int at = 8;
        if (text.charAt(at) == '.') {
            int begin = ++at;
            while (at < text.length() && TextFormat.isDigit(text.charAt(at))) at++;
            if (at == begin) return false;
        }
        int offset = offset(text, at);
        if (offset == NONE) return false;
        return second < 60
                || Math.floorMod(hour * 60 + minute - offset, 24 * 60) == 24 * 60 - 1; // leap seconds are UTC
    }

    /// In minutes.
    private static int offset(String text, int at) {
        String rest = text.substring(at);
        if (rest.equals("Z") || rest.equals("z")) return 0;
        if (rest.length() != 6 || rest.charAt(3) != ':' || "+-".indexOf(rest.charAt(0)) < 0) return NONE;
        int hour = number(rest, 1, 3);
        int minute = number(rest, 4, 6);
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NONE;
        return (rest.charAt(0) == '-' ? -1 : 1) * (hour * 60 + minute);
    }

    /// RFC 3339, appendix A: no part is left out between two others, weeks stand alone.
    static boolean isDuration(String text) {
        if (!text.startsWith("P") || text.length() < 3) return false;
        int time = text.indexOf('T');
        String date = time < 0 ? text.substring(1) : text.substring(1, time);
        if (date.endsWith("W")) return time < 0 && areParts(date, "W");
        if (time >= 0 && (time == text.length() - 1 || !areParts(text.substring(time + 1), "HMS"))) return false;
        return areParts(date, "YMD");
    }

    /// Numbers with these units, neighbours in the order of `units`.
    private static boolean areParts(String text, String units) {
        int at = 0;
        int last = -1;
        while (at < text.length()) {
            int begin = at;
            while (at < text.length() && TextFormat.isDigit(text.charAt(at))) at++;
            if (at == begin || at == text.length()) return false;
            int unit = units.indexOf(text.charAt(at++));
            if (unit < 0 || (last >= 0 && unit != last + 1)) return false;
            last = unit;
        }
        return true;
    }

    /// -1: other than digits.
    private static int number(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            if (!TextFormat.isDigit(text.charAt(i))) return -1;
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }
}
