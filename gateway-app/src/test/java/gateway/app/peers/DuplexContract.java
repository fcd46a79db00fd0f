package gateway.app.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// [EchoContract] where all that stands between passes an answer on while its request is still on its way. nginx 1.22
/// and Caddy 2.6 do not, without the gateway either.
abstract class DuplexContract extends EchoContract {
    @Test
    void a_large_body_comes_back_while_it_goes() throws Exception {
        var answer = send(request("/echo").POST(chunked(pattern(LARGE))));

        assertThat(digest(answer.body())).isEqualTo(digest(pattern(LARGE)));
    }
}
