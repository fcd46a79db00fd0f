package gateway.wire.client;

import gateway.http.Response;

/// One exchange with an upstream server. The request thread makes it and waits; all the rest happens in event
/// callbacks on the IO thread.
public sealed interface UpstreamCall extends Runnable permits WireCall {
    /// Where the request goes, such as `http://10.0.0.1:9001`.
    String location();

    /// Refuses a body that is known to be too large; the call has not begun then.
    void checkLength();

    /// Blocks the request thread until the response head is here.
    Response await();

    /// After [#await]: whether another call may take the request over, since all of it can be had again.
    ///
    /// @param safe even when something of it was written
    boolean mayFollow(boolean safe);

    /// Whether it has a connection to the upstream, maybe with others, or makes one.
    boolean holdsConnection();

    /// The client is gone, or nobody wants the rest.
    void cancel();
}
