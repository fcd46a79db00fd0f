package gateway.app.redis;

import gateway.service.ShortTerm;
import gateway.service.ShortTermName;
import gateway.service.ShortTermValue;
import java.util.Optional;

/// Short-term values in Redis, each under a key of its own that Redis lets go at its end. Their memory is Redis' own:
/// where it is full, writes fail as with everything else.
final class RedisShortTerm implements ShortTerm {
    private static final Script PUT_IF_ABSENT = Script.of("short-put-if-absent");
    private static final Script PUT = Script.of("short-put");
    private static final Script GET = Script.of("short-get");
    private static final Script REMOVE = Script.of("short-remove");

    private final RedisLink link;
    private final String prefix;

    RedisShortTerm(RedisLink link, String namespace) {
        this.link = link;
        this.prefix = namespace + ":short:";
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public boolean putIfAbsent(ShortTermName name, ShortTermValue value) {
        return link.ask(PUT_IF_ABSENT, with(name, value), new ScriptReply.Numbers())
                        .at(0)
                == 1;
    }

    @Override
    public void put(ShortTermName name, ShortTermValue value) {
        link.ask(PUT, with(name, value), new ScriptReply.Numbers());
    }

    @Override
    public Optional<String> get(ShortTermName name) {
        return Optional.ofNullable(link.ask(GET, Arguments.keys(key(name)), new ScriptReply.Texts())
                .all()
                .getFirst());
    }

    @Override
    public boolean remove(ShortTermName name) {
        return link.ask(REMOVE, Arguments.keys(key(name)), new ScriptReply.Numbers())
                        .at(0)
                == 1;
    }

    private Arguments with(ShortTermName name, ShortTermValue value) {
        return Arguments.keys(key(name)).add(value.text()).add(value.keep().toMillis());
    }

    /// Names are hashes: no braces in them choose a slot, and each value lies in a slot of its own.
    private String key(ShortTermName name) {
        return prefix + name.use() + ':' + name.digest();
    }
}
