package gateway.policies.standard;

import gateway.http.BodyRefusedException;
import gateway.http.BodyTooLargeException;
import gateway.http.ContentCodings;
import gateway.http.FailureReason;
import gateway.http.UpstreamWaiter;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.CallAnswer;
import gateway.service.DependencyException;
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

    /// @param most bytes once unpacked
    /// @throws DependencyException when it is no JSON
    static ServiceAnswer read(String server, CallAnswer answer, ContentCodings codings, long most) {
        try {
            byte[] plain =
                    codings.undo(answer.headers().all("Content-Encoding"), answer.bytes(), most, UpstreamWaiter.NOBODY);
            if (plain.length == 0) return unread(answer.status());
            var memory = new Memory();
            JsonNode json = Json.parse(plain, memory);
            return new ServiceAnswer(answer.status(), json, OVERHEAD + memory.taken);
        } catch (BodyRefusedException | BodyTooLargeException e) {
            throw unusable(server, "its answer cannot be unpacked", e);
        } catch (InvalidConfigException e) {
            throw unusable(server, "its answer is no JSON", null); // which may hold what is nobody's business
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
