package gateway.app.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One script call on its way: Lettuce's command, its deadline and the thread that waits for it in one
/// object, since a request makes one.
///
/// Ends exactly once: by the reply, by a lost connection, or by its deadline (see [Deadlines]).
final class Call implements RedisCommand<String, String, Object> {
    private static final VarHandle END;

    static {
        try {
            END = MethodHandles.lookup().findVarHandle(Call.class, "end", End.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// How a call ended. One that the reply ended may still carry an error text of Redis.
    enum End {
        PENDING,
        ANSWERED,
        DISCONNECTED,
        EXPIRED
    }

    /// Who sent a call.
    interface Sender {
        /// Sends it once more, with its script in full.
        void again(Call call);

        /// Is told once that a call ended, on whichever thread ended it.
        void ended(Call call);
    }

    private final Script script;
    private final Arguments arguments;
    private final Reply reply;
    private final Sender sender;
    private final long expires;
    private boolean inFull; // changed between two writes only
    private volatile End end = End.PENDING;
    private volatile @Nullable Thread waiter;
    private @Nullable Throwable cause; // published by end

    /// @param expires as [System#nanoTime]
    Call(Script script, Arguments arguments, Reply reply, Sender sender, long expires) {
        this.script = script;
        this.arguments = arguments;
        this.reply = reply;
        this.sender = sender;
        this.expires = expires;
    }

    /// Parks the current thread until the call has ended.
    End await() {
        waiter = Thread.currentThread();
        boolean interrupted = false;
        while (end == End.PENDING) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // the deadline is near: end as usual, and pass the interrupt on
        }
        if (interrupted) Thread.currentThread().interrupt();
        return end;
    }

    End end() {
        return end;
    }

    /// Why the connection failed it, or Redis' error text; `null` when all went well.
    @Nullable
    String error() {
        if (cause != null) return cause.getMessage();
        return reply.getError();
    }

    /// The calling thread ends it when `now` is past its deadline.
    ///
    /// @return whether it has ended by now
    boolean expire(long now) {
        if (end != End.PENDING) return true;
        if (now - expires < 0) return false;
        finish(End.EXPIRED, null);
        return true;
    }

    Arguments arguments() {
        return arguments;
    }

    private boolean finish(End how, @Nullable Throwable failure) {
        if (end != End.PENDING) return false;
        if (failure != null) cause = failure;
        if (!END.compareAndSet(this, End.PENDING, how)) return false;
        sender.ended(this);
        Thread waiting = waiter;
        if (waiting != null) LockSupport.unpark(waiting);
        return true;
    }

    @Override
    public void complete() {
        if (!inFull && reply.hasError() && reply.getError().startsWith("NOSCRIPT") && end == End.PENDING) {
            inFull = true;
            reply.setError((String) null);
            sender.again(this);
            return;
        }
        finish(End.ANSWERED, null);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return finish(End.DISCONNECTED, failure);
    }

    @Override
    public void cancel() {
        finish(End.DISCONNECTED, null);
    }

    @Override
    public void encode(ByteBuf out) {
        arguments.write(script.head(inFull), out);
    }

    /// Lettuce asks for these in a cluster only, to find the slot's node.
    @Override
    public CommandArgs<String, String> getArgs() {
        return new CommandArgs<>(StringCodec.UTF8).addKey(arguments.firstKey());
    }

    @Override
    public ProtocolKeyword getType() {
        return inFull ? CommandType.EVAL : CommandType.EVALSHA;
    }

    @Override
    public CommandOutput<String, String, Object> getOutput() {
        return reply;
    }

    @Override
    public void setOutput(CommandOutput<String, String, Object> output) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isCancelled() {
        return end == End.DISCONNECTED;
    }

    @Override
    public boolean isDone() {
        return end != End.PENDING;
    }

    @Override
    public String toString() {
        return script + " " + end;
    }
}
