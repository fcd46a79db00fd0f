package gateway.wire.io;

import gateway.wire.memory.Budget;
import gateway.wire.memory.DirectMemory;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.DefaultByteBufferPool;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/// Direct buffers of one size, as many as a budget allows. Each IO thread keeps its own stack of spare ones, so the
/// request path takes and gives back without contention and nothing is cached per virtual thread; other threads, and
/// the spares that are too many for a stack, share a queue.
///
/// A buffer that was made is kept for good, in a stack or the queue: the collector frees direct memory late, and until
/// then the JVM counts it. Those that are lent and those in stacks draw on the budget; those in the queue were made
/// when others drew, so all together are never more than fit.
///
/// When none is to be had, a buffer of the heap takes its place. Whoever takes one here is bounded in number by other
/// means: requests by their places, all else by its turn.
public final class BufferPool implements ByteBufferPool {
    private final int size;
    private final int sparesEach;
    private final Budget budget;
    private final @Nullable Spares[] owned;
    private final ConcurrentLinkedQueue<ByteBuffer> shared = new ConcurrentLinkedQueue<>();
    private final ByteBufferPool arrays;
    private volatile boolean closed;

    /// @param size bytes of each buffer
    /// @param ioThreads how many IO threads use the pool
    /// @param sparesEach most spare buffers that one IO thread keeps
    /// @param budget of direct memory
    public BufferPool(int size, int ioThreads, int sparesEach, Budget budget) {
        this.size = size;
        this.sparesEach = sparesEach;
        this.budget = budget;
        this.owned = new Spares[ioThreads];
        this.arrays = new DefaultByteBufferPool(false, size, sparesEach, 0);
    }

    @Override
    public PooledByteBuffer allocate() {
        return new Lent(this, take());
    }

    /// A buffer for an owner that gives it back exactly once, by [#giveBack]; spares the object that makes a second
    /// time harmless.
    public ByteBuffer take() {
        if (closed) throw new IllegalStateException("the buffer pool is closed");
        Spares spares = mine();
        ByteBuffer spare = spares == null ? null : spares.take();
        if (spare != null) return spare.clear();
        if (!budget.take(size)) return ByteBuffer.allocate(size);
        spare = shared.poll();
        return spare == null ? made() : spare.clear();
    }

    private ByteBuffer made() {
        if (DirectMemory.hasRoomFor(size)) return ByteBuffer.allocateDirect(size);
        budget.giveBack(size);
        return ByteBuffer.allocate(size);
    }

    /// Takes back what [#take] gave; nobody may use it afterwards.
    public void giveBack(ByteBuffer buffer) {
        if (!buffer.isDirect()) return;
        if (!closed) {
            Spares spares = mine();
            if (spares != null && spares.put(buffer)) return;
            shared.add(buffer); // before the budget gets its own back: who draws on that finds the buffer
        }
        budget.giveBack(size);
    }

    /// The current thread's own stack; null on a thread that is not one of this pool's IO threads.
    @SuppressWarnings("ReferenceEquality") // which thread this is
    private @Nullable Spares mine() {
        if (!(Thread.currentThread() instanceof XnioIoThread io) || io.getNumber() >= owned.length) return null;
        Spares spares = owned[io.getNumber()];
        if (spares == null) {
            spares = new Spares(io, sparesEach);
            owned[io.getNumber()] = spares;
        }
        return spares.owner == io ? spares : null;
    }

    @Override
    public ByteBufferPool getArrayBackedPool() {
        return arrays;
    }

    @Override
    public void close() {
        closed = true;
        shared.clear();
        arrays.close();
    }

    @Override
    public int getBufferSize() {
        return size;
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    private static final class Spares {
        private final XnioIoThread owner;
        private final ByteBuffer[] stack;
        private int count;

        Spares(XnioIoThread owner, int most) {
            this.owner = owner;
            this.stack = new ByteBuffer[most];
        }

        @Nullable
        ByteBuffer take() {
            return count == 0 ? null : stack[--count];
        }

        boolean put(ByteBuffer buffer) {
            if (count == stack.length) return false;
            stack[count++] = buffer;
            return true;
        }
    }

    /// One lending of a buffer. Closing twice is harmless, as Undertow relies on.
    private static final class Lent implements PooledByteBuffer {
        private final BufferPool pool;
        private @Nullable ByteBuffer buffer;

        Lent(BufferPool pool, ByteBuffer buffer) {
            this.pool = pool;
            this.buffer = buffer;
        }

        @Override
        public ByteBuffer getBuffer() {
            ByteBuffer lent = buffer;
            if (lent == null) throw new IllegalStateException("the buffer was given back");
            return lent;
        }

        @Override
        public void close() {
            ByteBuffer lent = buffer;
            if (lent == null) return;
            buffer = null;
            pool.giveBack(lent);
        }

        @Override
        public boolean isOpen() {
            return buffer != null;
        }
    }
}
