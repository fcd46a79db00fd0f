package gateway.service;

/// What a short-term value is for, which decides what happens where memory for its use is full.
public enum ShortTermUse {
    /// Ids that may come once until their end: none goes before, so where there is no room no new one is taken.
    REPLAY("replay", false),
    /// What a caller has here between requests: what is closest to its end makes room.
    SESSION("session", true),
    /// Who is kept out for a while: as with sessions.
    BAN("ban", true);

    private final String word;
    private final boolean displaced;

    ShortTermUse(String word, boolean displaced) {
        this.word = word;
        this.displaced = displaced;
    }

    /// Whether a value may go before its end when others need its room.
    public boolean isDisplaced() {
        return displaced;
    }

    /// As names of stored values tell it.
    @Override
    public String toString() {
        return word;
    }
}
