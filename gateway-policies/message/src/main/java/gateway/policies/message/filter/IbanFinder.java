package gateway.policies.message.filter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// International bank account numbers (ISO 13616), in groups or not, as long as their country has them and with check
/// digits that hold.
final class IbanFinder implements TextFinder {
    private static final Map<String, Integer> LENGTHS = Stream.of(("AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29"
                            + " BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18"
                            + " GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21"
                            + " MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31"
                            + " SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20")
                    .split(" "))
            .collect(Collectors.toUnmodifiableMap(
                    each -> each.substring(0, 2), each -> Integer.parseInt(each.substring(2))));
    private static final int MODULUS = 97;

    @Override
    public List<String> literals() {
        return List.of();
    }

    @Override
    public Optional<int[]> next(String text, int from) {
        for (int at = from; at + 4 < text.length(); at++) {
            boolean begins = isDigit(text.charAt(at + 2))
                    && isDigit(text.charAt(at + 3))
                    && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)));
            if (!begins) continue;
            int end = end(text, at);
            if (end > at) return Optional.of(new int[] {at, end});
        }
        return Optional.empty();
    }

    private static int end(String text, int begin) {
        String country = upper(text, begin) + upper(text, begin + 1);
        Integer length = LENGTHS.get(country);
        if (length == null) return -1;
        var number = new StringBuilder(length);
        int at = begin;
        while (at < text.length() && number.length() < length) {
            char c = text.charAt(at++);
            if (c < 128 && Character.isLetterOrDigit(c)) number.append(Character.toUpperCase(c));
            else if (c != ' ' || number.length() % 4 != 0) return -1;
        }
        boolean whole =
                number.length() == length && (at == text.length() || !Character.isLetterOrDigit(text.charAt(at)));
        return whole && holds(number) ? at : -1;
    }

    private static boolean holds(StringBuilder number) {
        int rest = 0;
        for (int i = 0; i < number.length(); i++) {
            int value = Character.digit(number.charAt((i + 4) % number.length()), 36);
            rest = (rest * (value > 9 ? 100 : 10) + value) % MODULUS;
        }
        return rest == 1;
    }

    private static String upper(String text, int at) {
        return String.valueOf(Character.toUpperCase(text.charAt(at)));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    @Override
    public long cost(int length) {
        return length / 8; // a comparison or two a character, and no program to run
    }
}
