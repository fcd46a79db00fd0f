package gateway.app.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Closes a connection on which commands were written and nothing came back for a second, so that Lettuce
/// makes a new one: a peer that vanished without a word would otherwise be waited for until TCP gives up, a
/// quarter of an hour later.
///
/// Lives on the channel's event loop; no state is shared.
final class StallGuard extends ChannelDuplexHandler {
    static final long STALL_NANOS = 1_000_000_000;

    private boolean waiting;
    private long since;
    private @Nullable ScheduledFuture<?> check;

    @Override
    public void channelActive(ChannelHandlerContext context) {
        check = context.executor()
                .scheduleWithFixedDelay(() -> look(context), STALL_NANOS, STALL_NANOS / 4, TimeUnit.NANOSECONDS);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (check != null) check.cancel(false);
        context.fireChannelInactive();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!waiting) {
            waiting = true;
            since = System.nanoTime();
        }
        var _ = context.write(message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        waiting = false;
        context.fireChannelRead(message);
    }

    private void look(ChannelHandlerContext context) {
        if (!waiting || System.nanoTime() - since <= STALL_NANOS) return;
        var _ = context.close();
    }
}
