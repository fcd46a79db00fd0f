package gateway.policies.message.schema;

/// Names and addresses of hosts, and mailboxes at them.
final class HostFormats {
    private HostFormats() {}

    /// RFC 1123.
    static boolean isHostname(String text) {
        if (text.isEmpty() || text.length() > 253) return false;
        for (String label : text.split("\\.", -1)) if (!isLabel(label)) return false;
        return true;
    }

    private static boolean isLabel(String label) {
        if (label.isEmpty() || label.length() > 63 || label.startsWith("-") || label.endsWith("-")) return false;
        if (label.startsWith("--", 2) && !label.regionMatches(true, 0, "xn", 0, 2)) return false;
        for (int i = 0; i < label.length(); i++) {
            char each = label.charAt(i);
            if (!TextFormat.isLetter(each) && !TextFormat.isDigit(each) && each != '-') return false;
        }
        return true;
    }

    static boolean isIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) return false;
        for (String each : parts) {
            if (each.isEmpty() || each.length() > 3 || (each.length() > 1 && each.charAt(0) == '0')) return false;
            if (!each.chars().allMatch(digit -> TextFormat.isDigit((char) digit))) return false;
            if (Integer.parseInt(each) > 255) return false;
        }
        return true;
    }

    /// RFC 4291, without a zone.
    static boolean isIpv6(String text) {
        if (text.length() < 2 || text.length() > 45) return false;
        int gap = text.indexOf("::");
        if (gap < 0) return groups(text, true) == 8;
        if (text.indexOf("::", gap + 1) >= 0) return false;
        int before = groups(text.substring(0, gap), false);
        int after = groups(text.substring(gap + 2), true);
        return before >= 0 && after >= 0 && before + after < 8;
    }

    /// -1: something else.
    private static int groups(String text, boolean last) {
        if (text.isEmpty()) return 0;
        String[] groups = text.split(":", -1);
        int count = 0;
        for (int i = 0; i < groups.length; i++) {
            if (last && i == groups.length - 1 && groups[i].indexOf('.') >= 0) {
                return isIpv4(groups[i]) ? count + 2 : -1;
            }
            if (groups[i].isEmpty() || groups[i].length() > 4) return -1;
            for (int j = 0; j < groups[i].length(); j++) if (!TextFormat.isHexadecimal(groups[i], j)) return -1;
            count++;
        }
        return count;
    }

    /// RFC 5321: dotted or quoted text before `@`, a host or an address in brackets behind it.
    static boolean isEmail(String text) {
        int at = text.lastIndexOf('@');
        if (at < 1) return false;
        String mailbox = text.substring(0, at);
        String host = text.substring(at + 1);
        if (!isMailbox(mailbox)) return false;
        if (!host.startsWith("[") || !host.endsWith("]")) return isHostname(host);
        String address = host.substring(1, host.length() - 1);
        return address.startsWith("IPv6:") ? isIpv6(address.substring(5)) : isIpv4(address);
    }

    private static boolean isMailbox(String text) {
        if (text.length() > 2 && text.startsWith("\"") && text.endsWith("\"")) {
            String quoted = text.substring(1, text.length() - 1);
            return quoted.chars().allMatch(each -> each >= ' ' && each < 127)
                    && !quoted.replaceAll("\\\\.", "").contains("\"");
        }
        if (text.startsWith(".") || text.endsWith(".") || text.contains("..")) return false;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (!TextFormat.isLetter(each) && !TextFormat.isDigit(each) && "!#$%&'*+-/=?^_`{|}~.".indexOf(each) < 0)
                return false;
        }
        return true;
    }
}
