package gateway.app.memory;

import gateway.service.Purges;
import gateway.service.PurgesContract;

final class MemoryPurgesTest implements PurgesContract {
    private final MemoryPurges purges = new MemoryPurges();

    @Override
    public Purges purges() {
        return purges;
    }
}
