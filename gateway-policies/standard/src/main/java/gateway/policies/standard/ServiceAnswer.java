package gateway.policies.standard;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.FailureReason;
import gateway.http.UpstreamWaiter;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.CallAnswer;
import gateway.service.DependencyException;
import gateway.service.Unpacking;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// What a service has said to a call of a policy.
///
/// @param json missing where there is none or nobody reads it; shared by all who remember it, so not to be changed
/// @param bytes that it takes in memory, about
record ServiceAnswer(int status, JsonNode json, long bytes) {
    private static final long MOST_MEMORY = 8 << 20; // lists of empty lists take thirty times their text
    private static final int OVERHEAD = 512;

    static ServiceAnswer unread(int status) {
        return new ServiceAnswer(status, MissingNode.getInstance(), OVERHEAD);
    }

    /// Large ones are unpacked and read by a worker.
    ///
    /// @param share whose work that is
    /// @param most bytes once unpacked
    /// @throws DependencyException when it is no JSON
    /// @throws gateway.service.WorkersBusyException when no worker has begun in time
    static ServiceAnswer read(String server, CallAnswer answer, Unpacking unpacking, String share, long most) {
        List<String> applied = answer.headers().all("Content-Encoding");
        try {
            return unpacking.undone(share, applied, answer.bytes(), most, bytes -> {
                byte[] plain = unpacking.codings().undo(applied, answer.bytes(), bytes, UpstreamWaiter.NOBODY);
                return parsed(server, answer.status(), plain);
            });
        } catch (BodyRefusedException | BodyTooLargeException e) {
            throw unusable(server, "its answer cannot be unpacked", e);
        }
    }

    private static ServiceAnswer parsed(String server, int status, byte[] plain) {
        if (plain.length == 0) return unread(status);
        var memory = new Memory();
        try {
            JsonNode json = Json.parse(plain, memory);
            return new ServiceAnswer(status, json, OVERHEAD + memory.taken);
        } catch (InvalidConfigException e) { // which may hold what is nobody's business
            String why = memory.taken > MOST_MEMORY ? "has too many values" : "is no JSON";
            throw unusable(server, "its answer " + why, null);
        }
    }

    static DependencyException unusable(String server, String why, @Nullable Throwable cause) {
        return new DependencyException(server, FailureReason.MALFORMED.word(), why, cause);
    }

    private static final class Memory implements LongConsumer {
        private long taken;

        @Override
        public void accept(long more) {
            taken += more;
            if (taken > MOST_MEMORY) throw new InvalidConfigException("", "too many values");
        }
    }
}
