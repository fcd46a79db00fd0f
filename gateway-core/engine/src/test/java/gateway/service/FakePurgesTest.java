package gateway.service;

final class FakePurgesTest implements PurgesContract {
    private final FakePurges purges = new FakePurges();

    @Override
    public Purges purges() {
        return purges;
    }
}
