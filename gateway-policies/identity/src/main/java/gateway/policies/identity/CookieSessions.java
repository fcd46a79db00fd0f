package gateway.policies.identity;

import gateway.http.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sessions that browsers keep, sealed and parted into a few cookies: `<how many parts>.<sealed>` and what follows.
record CookieSessions(OpenedSessions opened) implements Sessions {
    /// Characters of one part: with its name and attributes a cookie stays below the 4,096 that browsers keep.
    private static final int PART = 3_800;

    @Override
    public Optional<OpenedSession> find(Exchange exchange, GatewayCookies cookies) {
        Optional<String> first = exchange.cookie(cookies.session());
        if (first.isEmpty() || first.get().length() < 3 || first.get().charAt(1) != '.') return Optional.empty();
        int count = first.get().charAt(0) - '0';
        if (count < 1 || count > GatewayCookies.PARTS) return Optional.empty();
        if (count == 1) return opened.open(first.get().substring(2));
        var sealed = new StringBuilder(first.get().substring(2));
        for (int i = 1; i < count; i++) {
            Optional<String> part = exchange.cookie(cookies.parts().get(i));
            if (part.isEmpty() || part.get().length() > PART) return Optional.empty();
            sealed.append(part.get());
        }
        return opened.open(sealed.toString());
    }

    @Override
    public boolean keep(Session session) {
        return opened.sealed(session).length() + 2 <= GatewayCookies.PARTS * PART;
    }

    @Override
    public boolean note(Session session) {
        return true;
    }

    @Override
    public void end(Session session) {
        // Nobody but the browser knows of it.
    }

    @Override
    public List<String> lines(Session session, Exchange exchange, GatewayCookies cookies) {
        String sealed = opened.sealed(session);
        int count = (sealed.length() + 2 + PART - 1) / PART;
        String text = count + "." + sealed;
        var lines = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            String part = text.substring(i * PART, Math.min(text.length(), (i + 1) * PART));
            lines.add(cookies.kept(cookies.parts().get(i), part));
        }
        lines.addAll(cookies.goneParts(exchange, count));
        return lines;
    }
}
