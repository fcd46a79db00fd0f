package gateway.policies.message.wss;

/// Takes the `Security` header out.
record HeaderRemoval() implements SecurityStep {
    @Override
    public String name() {
        return "remove";
    }

    @Override
    public boolean onlyAdds() {
        return true;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return (message, _) -> message.removeSecurity();
    }
}
