package gateway.app.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One script call on its way: Lettuce's command, its deadline and the thread that waits for it in one
/// object, since a request makes one.
///
/// Ends exactly once: by the reply, by a lost connection, or by its deadline (see [CallDeadlines]). What comes
/// of one that its deadline ended is told apart, since Redis may have done what it was asked.
final class Call implements RedisCommand<String, String, Object>, ChannelFutureListener, CallDeadlines.Timed {
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
        EXPIRED,
        /// Its deadline passed, and this node was too slow to know what Redis has answered.
        STARVED;

        /// Whether its deadline ended it, so that its answer may still come.
        boolean isLate() {
            return this == EXPIRED || this == STARVED;
        }
    }

    /// Who sent a call.
    interface Sender {
        /// Sends it once more, with its script in full.
        void again(Call call);

        /// Is told once that a call ended, on whichever thread ended it.
        void ended(Call call);

        /// Is told once what came of a call that its deadline had ended.
        ///
        /// @param answered whether the reply has come, and so [#error] is Redis'; else none will
        void settled(Call call, boolean answered);
    }

    private final Script script;
    private final Arguments arguments;
    private final ScriptReply reply;
    private final Sender sender;
    private final long begun;
    private final long patience;
    private boolean inFull; // changed between two writes only
    private volatile boolean written; // by the thread that writes, which also ends it when the connection is lost
    private volatile boolean departed; // by the same
    private long waited; // until it departed, by the same
    private boolean seenUnsent; // by the thread of the deadlines, as the next
    private long unsentAt;
    private volatile End end = End.PENDING;
    private volatile @Nullable Thread waiter;
    private @Nullable Throwable cause; // published by end

    /// @param begun as [System#nanoTime]
    /// @param patience with Redis, in nanoseconds from when it was sent
    Call(Script script, Arguments arguments, ScriptReply reply, Sender sender, long begun, long patience) {
        this.script = script;
        this.arguments = arguments;
        this.reply = reply;
        this.sender = sender;
        this.begun = begun;
        this.patience = patience;
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

    /// Whether it ended without an answer and yet Redis may have got it.
    boolean inDoubt() {
        return end.isLate() || (end == End.DISCONNECTED && written);
    }

    @Override
    public boolean ended() {
        return end != End.PENDING;
    }

    @Override
    public long begun() {
        return begun;
    }

    @Override
    public long patience() {
        return patience;
    }

    /// What this node took to send it is not Redis' time. One not sent yet, though it has been given to the connection,
    /// waits for a node of a cluster to be connected to, or for this node: it gets all its patience once more.
    @Override
    public long asked(long now) {
        if (departed) return begun + waited;
        if (!seenUnsent) {
            seenUnsent = true;
            unsentAt = now;
        }
        return unsentAt;
    }

    /// It has gone to the socket, or its connection is lost (see [Departures]).
    @Override
    public void operationComplete(ChannelFuture sending) {
        if (departed || !sending.isSuccess()) return;
        waited = System.nanoTime() - begun;
        departed = true;
    }

    @Override
    public void expire(boolean starved) {
        finish(starved ? End.STARVED : End.EXPIRED, null);
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
        if (!finish(End.ANSWERED, null) && end.isLate()) sender.settled(this, true);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        if (finish(End.DISCONNECTED, failure)) return true;
        if (end.isLate()) sender.settled(this, false);
        return false;
    }

    @Override
    public void cancel() {
        if (!finish(End.DISCONNECTED, null) && end.isLate()) sender.settled(this, false);
    }

    @Override
    public void encode(ByteBuf out) {
        if (!written) written = true;
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
