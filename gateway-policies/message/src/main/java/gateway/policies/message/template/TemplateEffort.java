package gateway.policies.message.template;

import gateway.policies.message.BoundReachedException;

/// How much one template may do for one message: sections within sections go through arrays as often as the product
/// of their lengths, and look up each of their names every time.
final class TemplateEffort {
    /// Repetitions of sections.
    static final int MOST = 1_000_000;

    private static final int LOOK_UPS = 10; // for each repetition

    private final long most;
    private long left;

    /// @param repetitions of sections, and ten times as many names that are looked up
    TemplateEffort(long repetitions) {
        this.most = repetitions;
        this.left = repetitions * LOOK_UPS;
    }

    /// @throws BoundReachedException when it is too much
    void repeat() {
        spend(LOOK_UPS);
    }

    /// @throws BoundReachedException when it is too much
    void lookUp() {
        spend(1);
    }

    private void spend(int units) {
        left -= units;
        if (left < 0)
            throw new BoundReachedException("sections to be repeated at most " + most + " times, with " + LOOK_UPS
                    + " names looked up in each");
    }
}
