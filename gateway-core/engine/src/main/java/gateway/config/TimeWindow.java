package gateway.config;

import gateway.json.ConfigNode;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// A time of the day on some days of the week, by the clocks of one place.
///
/// @param days on which it begins
/// @param from second of the day
/// @param to second of the day before which it ends: of the next one, unless it is later than `from`
record TimeWindow(Set<DayOfWeek> days, int from, int to, ZoneId zone) {
    private static final Pattern TIME = Pattern.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00");
    private static final Pattern DAYS =
            Pattern.compile("(mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?");
    private static final int DAY = 24 * 60 * 60;

    TimeWindow {
        days = Set.copyOf(days);
    }

    static TimeWindow read(ConfigNode node) {
        node.requireObject();
        ConfigNode until = node.field("to", "before which it ends; on the next day, unless it is later than `from`");
        var window = new TimeWindow(
                days(node.field("days", "on which it begins, such as `mon-fri`").unlessGiven("every day")),
                time(node.field("from", "when it begins, such as `08:00`"), 0) % DAY,
                time(until, DAY),
                zone(node.field("zone", "by whose clocks, such as `Europe/Berlin`")
                        .unlessGiven("`UTC`")));
        if (window.from == window.to) until.problem("expected another time than \"from\"");
        node.refuseUnknownFields();
        return window;
    }

    boolean covers(Instant instant) {
        ZoneOffset offset = zone.getRules().getOffset(instant);
        LocalDateTime local = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, offset);
        int second = local.toLocalTime().toSecondOfDay();
        DayOfWeek today = local.getDayOfWeek();
        if (from < to) return second >= from && second < to && days.contains(today);
        return second >= from ? days.contains(today) : second < to && days.contains(today.minus(1));
    }

    private static int time(ConfigNode node, int otherwise) {
        if (!node.isPresent()) return otherwise;
        String text = node.like(TIME).requiredText();
        if (!TIME.matcher(text).matches()) {
            if (!text.isEmpty()) node.problem("expected a time such as \"08:00\", got \"" + text + "\"");
            return otherwise;
        }
        return Integer.parseInt(text.substring(0, 2)) * 3600 + Integer.parseInt(text.substring(3)) * 60;
    }

    private static ZoneId zone(ConfigNode node) {
        String text = node.text("UTC");
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            node.problem("expected a time zone such as \"Europe/Berlin\", got \"" + text + "\"");
            return ZoneOffset.UTC;
        }
    }

    private static Set<DayOfWeek> days(ConfigNode node) {
        var days = EnumSet.noneOf(DayOfWeek.class);
        node.list(TimeWindow::range).forEach(days::addAll);
        return days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days;
    }

    /// `mon`, or `mon-fri`, over the week's end too.
    private static List<DayOfWeek> range(ConfigNode node) {
        String text = node.like(DAYS).requiredText();
        int dash = text.indexOf('-');
        List<DayOfWeek> first = day(dash < 0 ? text : text.substring(0, dash));
        List<DayOfWeek> last = dash < 0 ? first : day(text.substring(dash + 1));
        if (first.isEmpty() || last.isEmpty()) {
            if (!text.isEmpty()) node.problem("expected days such as \"mon\" or \"mon-fri\", got \"" + text + "\"");
            return List.of();
        }
        var days = new ArrayList<>(first);
        while (!days.getLast().equals(last.getFirst())) days.add(days.getLast().plus(1));
        return days;
    }

    /// None when it is no day.
    private static List<DayOfWeek> day(String word) {
        for (DayOfWeek each : DayOfWeek.values())
            if (each.name().substring(0, 3).toLowerCase(Locale.ROOT).equals(word)) return List.of(each);
        return List.of();
    }
}
