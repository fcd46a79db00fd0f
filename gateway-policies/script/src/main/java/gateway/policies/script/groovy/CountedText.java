package gateway.policies.script.groovy;

/// A text of which each character that is looked at counts: no regular expression goes back and forth over it for
/// longer than its script may run.
final class CountedText implements CharSequence {
    private final String text;
    private final CountedWork work;

    private CountedText(String text, CountedWork work) {
        this.text = text;
        this.work = work;
    }

    /// `text`, counted while a script runs.
    static CharSequence of(String text) {
        return CountedWork.CURRENT.isBound() ? new CountedText(text, CountedWork.CURRENT.get()) : text;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        work.countCharacter();
        return text.charAt(index);
    }

    /// Nobody matches within it any more.
    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
