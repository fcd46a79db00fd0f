package gateway.policies.message.template;

/// How much one template may do for one message: sections within sections go through arrays as often as the product
/// of their lengths.
final class TemplateEffort {
    private static final int MOST = 1_000_000;

    private int spent;

    /// @throws TemplateBoundException when it is too much
    void spend() {
        if (++spent > MOST) throw new TemplateBoundException("sections to be repeated at most " + MOST + " times");
    }
}
