package gateway.app.component;

import gateway.app.metrics.MeterNames;
import gateway.app.metrics.Readings;
import gateway.component.CacheMember;

/// What a member has, read when somebody asks.
public record MemberMetrics(CacheMember member, Readings readings) {
    public void tell() {
        readings.gauge(
                MeterNames.COMPONENT_MEMBERS, "members of the cache component that this one sees", member::members);
        readings.gauge(
                MeterNames.COMPONENT_ENTRIES, "entries of this member, without backups for others", member::entries);
        readings.gauge(
                MeterNames.COMPONENT_BYTES,
                "bytes of entries at this member, backups for others included",
                member::bytes);
        readings.counter(
                MeterNames.COMPONENT_EVICTIONS, "entries of this member that went for others", member::evictions);
    }
}
