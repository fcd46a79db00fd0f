package gateway.policy;

import gateway.http.ContentCodings;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.key.KeyStore;
import gateway.key.Plans;
import gateway.service.ApiMeters;
import gateway.service.Calls;
import gateway.service.Contents;
import gateway.service.EntryStore;
import gateway.service.KeptParts;
import gateway.service.LimitStore;
import gateway.service.Purges;
import gateway.service.Refresher;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import gateway.service.SecretReference;
import gateway.service.SecretSource;
import gateway.service.ShortTerm;
import gateway.service.SlotStore;
import gateway.service.Workers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.Supplier;

/// The long-lived things policies use. Policies own nothing: what must outlive a reload lives here.
public interface Services {
    KeyStore keys();

    /// The plans of keys.
    Plans plans();

    LimitStore limits();

    /// This node's own counters, for `onOutage: local`.
    LimitStore localLimits();

    /// Values with an end: replay ids, sessions, bans.
    ShortTerm shortTerm();

    /// Slots of requests under way on all nodes.
    SlotStore slots();

    /// Entries of caches that nodes share.
    default EntryStore entries() {
        return EntryStore.NONE;
    }

    /// What caches are told not to give any more, on all nodes.
    Purges purges();

    /// Where work goes that would hold up the request's thread; policies that say so ([PolicySpec#runsOn]) run there as
    /// a whole.
    Workers workers();

    /// Calls by HTTP to servers other than the upstream.
    Calls calls();

    /// Loads again and again what policies use, such as key sets. What it makes belongs into [#shared], which tells it
    /// when its use begins and ends.
    Refresher refresher();

    /// How `Content-Encoding` is undone for policies that need plain bodies.
    default ContentCodings contentCodings() {
        return ContentCodings.ENGINE;
    }

    /// Opens secrets.
    SecretSource secrets();

    /// The secret that a definition refers to, for a policy that is being compiled. When it changes, the policy is
    /// compiled anew.
    ///
    /// @throws InvalidConfigException when it cannot be had
    default Secret secret(SecretReference reference) {
        throw new InvalidConfigException("", reference + ": there are no secrets here");
    }

    /// The contents of resources.
    default Contents contents() {
        return Contents.NONE;
    }

    /// The resource that a definition refers to, for a policy that is being compiled. When its content changes, the
    /// policy is compiled anew.
    ///
    /// @throws InvalidConfigException when it cannot be had
    default Resource resource(ResourceReference reference) {
        throw new InvalidConfigException("", reference + ": there are no resources here");
    }

    /// Whether scripts may be written in Groovy, which no sandbox holds.
    default boolean groovyScripts() {
        return false;
    }

    InstantSource clock();

    MeterRegistry meters();

    /// What counts the requests and verdicts of an API; the same one for every compilation of it.
    default ApiMeters metersOf(String api) {
        return ApiMeters.NONE;
    }

    /// What outlasts a reload, of policies and of whatever else a snapshot uses.
    KeptParts parts();

    /// The one long-lived thing for `key`, made on first use: a cache, a breaker, a key set. `key` is a record
    /// equal by value, so a reloaded policy finds what its predecessor used. Asked for while a policy is
    /// compiled; goes when no snapshot that uses it is served any more. A [gateway.service.Served] is told of both.
    default <T> T shared(Record key, Class<T> type, Supplier<T> make) {
        return parts().of(key, type, make).value();
    }
}
