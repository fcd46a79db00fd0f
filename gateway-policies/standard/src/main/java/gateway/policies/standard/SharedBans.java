package gateway.policies.standard;

import gateway.service.DependencyException;
import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The list of one policy's bans that all nodes share, in pages of short-term values. Two nodes that write at once may
/// lose each other's news: each adds its own again when it next looks.
final class SharedBans {
    /// All that a table holds, however long its subjects are.
    static final int MOST_PAGES = 24;

    private static final String MORE = "+"; // ends a page that another one follows

    private final ShortTerm shortTerm;
    private final String policy;

    SharedBans(ShortTerm shortTerm, String policy) {
        this.shortTerm = shortTerm;
        this.policy = policy;
    }

    /// @throws DependencyException when the store does not answer
    List<BanEntry> read() {
        var found = new ArrayList<BanEntry>();
        boolean more = true;
        for (int page = 0; more && page < MOST_PAGES; page++) {
            Optional<String> text = shortTerm.get(name(page));
            more = text.isPresent() && text.get().endsWith('\n' + MORE);
            text.ifPresent(lines -> lines.lines().map(BanEntry::parse).forEach(entry -> entry.ifPresent(found::add)));
        }
        return found;
    }

    /// @param entries as many of the first as there is room for
    /// @param keep until the last of them matters no more
    /// @throws DependencyException when the store does not answer
    void write(List<BanEntry> entries, Duration keep) {
        List<String> pages = pages(entries);
        for (int page = pages.size() - 1; page >= 0; page--) { // the first page last: it leads to the others
            shortTerm.put(name(page), new ShortTermValue(pages.get(page), keep));
        }
    }

    private static List<String> pages(List<BanEntry> entries) {
        var pages = new ArrayList<String>();
        var page = new StringBuilder();
        for (BanEntry entry : entries) {
            String line = entry.line();
            if (page.length() + line.length() + 2 > ShortTermValue.MOST_BYTES) { // ASCII: a byte a character
                if (pages.size() == MOST_PAGES - 1) break;
                pages.add(page.append(MORE).toString());
                page.setLength(0);
            }
            page.append(line).append('\n');
        }
        pages.add(page.toString());
        return pages;
    }

    private ShortTermName name(int page) {
        return ShortTermName.of(ShortTermUse.BAN, policy, Integer.toString(page));
    }
}
