package gateway.app.redis;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Collection;

/// Lets each call know when it has gone to the socket: a thread that is held up between encoding and sending is this
/// node's lateness, not Redis'.
///
/// Lives on the channel's event loop, nearest to who writes commands.
final class Departures extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ChannelPromise sent = promise.unvoid();
        if (message instanceof Call call) {
            sent.addListener(call);
        } else if (message instanceof Collection<?> several) { // after a connection was lost
            for (Object each : several) {
                if (each instanceof Call call) sent.addListener(call);
            }
        }
        var _ = context.write(message, sent);
    }
}
