package gateway.service;

import java.net.URI;
import java.util.function.Function;

final class FakeCallsTest implements CallsContract {
    private final FakeCalls calls = new FakeCalls();

    @Override
    public Calls calls() {
        return calls;
    }

    @Override
    public CallTarget served(Function<CallRequest, CallAnswer> server) {
        calls.serve("https://idp.example", server);
        return CallTarget.of(URI.create("https://idp.example"));
    }

    @Override
    public CallTarget absent() {
        return CallTarget.of(URI.create("https://nobody.example"));
    }
}
