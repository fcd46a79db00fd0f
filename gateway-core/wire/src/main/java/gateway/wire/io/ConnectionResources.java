package gateway.wire.io;

import gateway.wire.memory.Kind;
import gateway.wire.memory.MemoryBudget;
import gateway.wire.memory.Purse;

/// What connections of either side take of their IO thread: buffers, memory, deadlines.
public interface ConnectionResources {
    BufferPool buffers();

    /// The memory that is held for clients, of all IO threads together.
    MemoryBudget memory();

    /// What this thread takes of one kind of it.
    Purse purse(Kind kind);

    /// Those of this thread that make room for newcomers.
    SilentConnections silent();

    /// For work of this thread that goes on when it has looked at its sockets.
    NextTurn nextTurn();

    /// For connections: late by 500 ms at most.
    Deadlines connectionDeadlines();
}
