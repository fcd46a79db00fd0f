package gateway.app.redis;

import gateway.http.Secret;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.ApiKeyJson;
import gateway.key.IssuedKey;
import gateway.key.KeyMint;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.SecretDigest;
import gateway.key.StoredKey;
import gateway.service.ConflictException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// API keys in Redis, those in use at hand: an unchanged key costs no round trip.
///
/// Each write is told on a channel; as a message can be lost, [#refresh] asks for changes a few times a
/// second. While Redis is away, keys at hand go on working for a bounded time and others fail with
/// [gateway.service.DependencyException], never as unknown.
final class RedisKeyStore implements KeyStore {
    private static final int PAGE = 200;

    private final KeyScripts scripts;
    private final SharedPepper pepper;
    private final KeyMint mint;
    private final long stalenessNanos;
    private final KeyCache cache;
    private volatile long refreshed = System.nanoTime();
    private long version; // of all keys, as refresh last saw it; refresh runs on one thread

    private RedisKeyStore(KeyScripts scripts, SharedPepper pepper, KeyMint mint, long stalenessNanos, KeyCache cache) {
        this.scripts = scripts;
        this.pepper = pepper;
        this.mint = mint;
        this.stalenessNanos = stalenessNanos;
        this.cache = cache;
    }

    /// @throws IllegalArgumentException when the keys in Redis were made with another pepper than the
    ///     settings give
    static RedisKeyStore open(RedisLink link, RedisSettings settings, InstantSource clock) {
        var scripts = new KeyScripts(link, settings.namespace());
        return new RedisKeyStore(
                scripts,
                SharedPepper.open(scripts, settings.pepper()),
                new KeyMint(clock, new SecureRandom()),
                settings.keyStaleness().toNanos(),
                new KeyCache(settings.room().keys()));
    }

    /// Keys in this node's memory, about.
    long atHand() {
        return cache.size();
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public Optional<ApiKey> authenticate(String secret) {
        if (secret.length() > LONGEST_SECRET) return Optional.empty();
        var own = pepper.current();
        var digest = own.digest(secret);
        var known = cache.at(digest);
        if (known != null && isFresh()) return known.key();
        return fetched(digest, own.check());
    }

    /// Whether keys at hand are taken without asking Redis.
    boolean isFresh() {
        return System.nanoTime() - refreshed < stalenessNanos;
    }

    @Override
    public Optional<StoredKey> find(String id) {
        return Optional.ofNullable(scripts.byId(id)).map(KeyRecord::read);
    }

    @Override
    public long version() {
        return cache.version();
    }

    @Override
    public KeyPage list(String name, String cursor, int limit) {
        var keys = new ArrayList<StoredKey>();
        String after = cursor;
        while (true) {
            List<@Nullable String> page = scripts.list(after, PAGE);
            for (int i = 0; i < page.size(); i += 2) {
                var stored = KeyRecord.read(Objects.requireNonNull(page.get(i + 1)));
                if (!stored.key().name().contains(name)) continue;
                if (keys.size() == limit)
                    return new KeyPage(keys, Optional.of(keys.getLast().key().id()));
                keys.add(stored);
            }
            if (page.size() < 2 * PAGE) return new KeyPage(keys, Optional.empty());
            after = Objects.requireNonNull(page.get(page.size() - 2));
        }
    }

    @Override
    public IssuedKey issue(ApiKey key, Optional<Secret> chosen) {
        var secret = chosen.orElseGet(mint::secret);
        var named = key.id().isEmpty() ? key.withId(mint.id()) : key;
        var answer = scripts.issue(named.id(), digest(secret), json(named));
        return switch (word(answer, 0)) {
            case "id" -> throw new ConflictException("key " + named.id() + " exists");
            case "secret" -> throw new ConflictException("another key has this secret");
            default -> new IssuedKey(new StoredKey(named, changed(named.id(), answer)), secret);
        };
    }

    @Override
    public Optional<StoredKey> replace(ApiKey key, Optional<String> expected) {
        var answer = scripts.replace(key.id(), expected.orElse(""), json(key));
        return applied(key.id(), answer).map(version -> new StoredKey(key, version));
    }

    @Override
    public Optional<IssuedKey> rotate(String id, Duration overlap) {
        var secret = mint.secret();
        var answer = scripts.rotate(id, digest(secret), overlap);
        return applied(id, answer)
                .map(version -> new IssuedKey(new StoredKey(KeyRecord.key(word(answer, 2)), version), secret));
    }

    @Override
    public boolean delete(String id, Optional<String> expected) {
        return applied(id, scripts.delete(id, expected.orElse(""))).isPresent();
    }

    String channel() {
        return scripts.channel();
    }

    /// A message of [#channel]: another node, or this one, wrote a key.
    void told(String message) {
        int space = message.indexOf(' ');
        cache.changed(message.substring(space + 1), Long.parseLong(message.substring(0, space)));
    }

    /// Asks for what changed since the last time, the pepper first.
    ///
    /// @throws gateway.service.DependencyException when Redis does not answer
    void refresh() {
        long asked = System.nanoTime();
        settle();
        var answer = scripts.changes(version);
        long now = Long.parseLong(word(answer, 0));
        if (answer.size() == 2 && "*".equals(answer.get(1))) {
            cache.changedAll(now);
        } else {
            for (int i = 1; i < answer.size(); i++) cache.changed(word(answer, i), now);
        }
        version = now;
        refreshed = asked;
    }

    /// Keys that were made with another pepper are not those at hand.
    private void settle() {
        if (pepper.settle()) cache.changedAll(0);
    }

    /// @param check of the pepper that `digest` is made with
    /// @throws gateway.service.DependencyException when the keys are not made with it: until [#refresh] has
    ///     settled that, a secret cannot be called unknown
    private Optional<ApiKey> fetched(SecretDigest digest, String check) {
        var answer = scripts.bySecret(digest.hex());
        if (!answer.at(0).equals(check)) throw SharedPepper.disagreement();
        var key = answer.size() < 4
                ? Optional.<ApiKey>empty()
                : Optional.of(KeyRecord.read(answer.at(3)).key());
        boolean former = answer.size() > 4; // a secret before the present one
        if (former) cache.putBriefly(digest, key, Long.parseLong(answer.at(1)));
        else cache.put(digest, key, Long.parseLong(answer.at(1)));
        return key;
    }

    private Optional<String> applied(String id, List<@Nullable String> answer) {
        return switch (word(answer, 0)) {
            case "none" -> Optional.empty();
            case "version" -> throw new ConflictException("key " + id + " was changed meanwhile");
            case "secret" -> throw new ConflictException("another key has this secret");
            default -> Optional.of(changed(id, answer));
        };
    }

    /// Before a write's answer goes out, this node knows of it.
    private String changed(String id, List<@Nullable String> answer) {
        String made = word(answer, 1);
        cache.changed(id, Long.parseLong(made));
        return made;
    }

    /// To be stored.
    private String digest(Secret secret) {
        settle();
        return pepper.agreed().digest(secret.reveal()).hex();
    }

    private static String json(ApiKey key) {
        return Json.compact(ApiKeyJson.write(key));
    }

    private static String word(List<@Nullable String> answer, int index) {
        return Objects.requireNonNull(answer.get(index));
    }
}
