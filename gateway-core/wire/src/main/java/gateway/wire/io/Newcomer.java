package gateway.wire.io;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.ConduitStreamSourceChannel;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/// The connection of a client, which is a newcomer until an API has answered on it, unless its client has credit
/// ([Credit]), and one again when its client takes back what it has asked. Right above the socket: what comes of a
/// newcomer is told when it is the newcomers' turn ([NewcomersTurn]), what comes of others at once. Used on its IO
/// thread.
public final class Newcomer extends AbstractStreamSourceConduit<StreamSourceConduit> implements ReadReadyHandler {
    private final NewcomersTurn turn;
    private final Credit credit;
    private final Runnable itsTurn = this::itsTurn;
    private final Queue<Runnable> posted = new ArrayDeque<>(1); // its own work that waits
    private ReadReadyHandler above;
    private @Nullable InetAddress client;
    private boolean proven;
    private boolean served;
    private boolean abandoned;
    private boolean wanted;
    private boolean awaitsTurn;
    private boolean over;

    private Newcomer(ConduitStreamSourceChannel channel, NewcomersTurn turn, Credit credit) {
        super(channel.getConduit());
        this.above = new ReadReadyHandler.ChannelListenerHandler<>(channel);
        this.turn = turn;
        this.credit = credit;
        next.setReadReadyHandler(this);
    }

    /// To be called before anybody else reads of `socket`.
    public static Newcomer on(StreamConnection socket, NewcomersTurn turn, Credit credit) {
        var newcomer = new Newcomer(socket.getSourceChannel(), turn, credit);
        socket.getSourceChannel().setConduit(newcomer);
        return newcomer;
    }

    /// Tells whose it is, once.
    ///
    /// @param network of the client, as clients are told apart
    public void isOf(InetAddress network) {
        client = network;
    }

    /// An API has answered on it.
    public void served() {
        abandoned = false;
        prove();
        if (served) return;
        served = true;
        if (client != null) credit.earn(client);
    }

    /// Its client has taken back what it had asked: it is a newcomer, credit or not, until the next answer.
    public void abandoned() {
        abandoned = true;
        proven = false;
    }

    /// It is a newcomer no more, and what waits of it waits no longer.
    private void prove() {
        if (proven) return;
        proven = true;
        try {
            if (awaitsTurn) turn.nextTurn().run(itsTurn);
            for (Runnable each = posted.poll(); each != null; each = posted.poll())
                turn.nextTurn().run(each);
        } catch (RejectedExecutionException e) {
            // the gateway has stopped
        }
    }

    /// Whether an API has answered on it, or its client had credit, and it has taken nothing back since.
    public boolean isProven() {
        return proven;
    }

    /// Whether something of its client has come that it was not the newcomers' turn to read.
    public boolean awaitsTurn() {
        return awaitsTurn;
    }

    /// Does the first of its work: now, or when it is the newcomers' turn. Credit is not spent on it yet: many
    /// connections are kept for later.
    public void begin(Runnable work) {
        if (proven) work.run();
        else if (turn.lasts() || (client != null && credit.has(client) && turn.takesKnown())) turn.now(work);
        else turn.later(work);
    }

    /// Goes on with work of its own when the thread has looked at its sockets, and it is the newcomers' turn for one
    /// that still is a newcomer.
    ///
    /// @throws RejectedExecutionException as [NextTurn#run]
    public void goOn(Runnable work) {
        if (proven) {
            turn.nextTurn().run(work);
            return;
        }
        posted.add(work);
        turn.later(() -> {
            if (posted.remove(work)) work.run();
        });
    }

    @Override
    public void setReadReadyHandler(ReadReadyHandler handler) {
        above = handler;
    }

    @Override
    public void readReady() {
        if (proven || hasCredit()) {
            turn.provenHeard();
            above.readReady();
        } else if (awaitsTurn) {
            next.suspendReads();
        } else if (turn.lasts()) {
            turn.now(above::readReady);
        } else {
            awaitsTurn = true;
            next.suspendReads();
            turn.later(itsTurn);
        }
    }

    /// It is a newcomer no more when its client has credit as it speaks.
    private boolean hasCredit() {
        if (abandoned || client == null || !credit.spend(client)) return false;
        prove();
        return true;
    }

    private void itsTurn() {
        if (!awaitsTurn) return; // it was proven meanwhile, and had its turn then
        awaitsTurn = false;
        if (over || !wanted) return;
        next.resumeReads();
        above.readReady();
    }

    @Override
    public void resumeReads() {
        wanted = true;
        if (!awaitsTurn) next.resumeReads();
    }

    @Override
    public void suspendReads() {
        wanted = false;
        next.suspendReads();
    }

    @Override
    public void wakeupReads() {
        wanted = true;
        if (!awaitsTurn) next.wakeupReads();
    }

    @Override
    public boolean isReadResumed() {
        return wanted;
    }

    @Override
    public void forceTermination() {
        above.forceTermination();
    }

    @Override
    public void terminated() {
        over = true;
        above.terminated();
    }
}
