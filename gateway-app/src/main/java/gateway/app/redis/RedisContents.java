package gateway.app.redis;

import gateway.service.Contents;
import gateway.service.ResourceDocument;
import java.util.Base64;
import java.util.Optional;

/// Contents in Redis, in Base64 under their digests, beside when each was kept last.
final class RedisContents implements Contents {
    private static final Script KEEP = Script.of("content-keep");
    private static final Script FIND = Script.of("content-find");
    private static final Script COLLECT = Script.of("content-collect");

    private final RedisLink link;
    private final String prefix;

    /// @param prefix of the keys, as those of the definitions
    RedisContents(RedisLink link, String prefix) {
        this.link = link;
        this.prefix = prefix;
    }

    @Override
    public Optional<byte[]> find(String sha256) {
        var answer = link.askPatiently(FIND, keys().add(sha256), new ScriptReply.Texts());
        String text = answer.size() == 0 ? null : answer.all().getFirst();
        if (text == null) return Optional.empty();
        byte[] content = Base64.getDecoder().decode(text);
        return ResourceDocument.digest(content).equals(sha256) ? Optional.of(content) : Optional.empty();
    }

    @Override
    public void keep(byte[] content) {
        var arguments = keys().add(ResourceDocument.digest(content))
                .add(Base64.getEncoder().encodeToString(content));
        link.askPatiently(KEEP, arguments, new ScriptReply.Numbers());
    }

    /// Removes what neither a document nor a revision names, unless it was kept within the hour: its
    /// document may be on its way.
    ///
    /// @return how many
    long collect() {
        return link.askPatiently(COLLECT, keys(), new ScriptReply.Numbers()).at(0);
    }

    private Arguments keys() {
        return Arguments.keys(
                prefix + "contents", prefix + "contents-kept", prefix + "documents-2", prefix + "history-2");
    }
}
