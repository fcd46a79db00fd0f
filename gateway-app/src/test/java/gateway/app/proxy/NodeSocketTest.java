package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.wire.io.RequestThreadMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Node's own WebSocket client through the gateway to Undertow's server.
final class NodeSocketTest {
    private static final String FLAG = "--experimental-websocket"; // needed before Node 22, taken by later ones
    private static final String SCRIPT = """
            const socket = new WebSocket(process.argv[1]);
            const heard = [];
            const large = new Uint8Array(1 << 20).map((_, i) => i % 251);
            socket.binaryType = "arraybuffer";
            socket.onerror = event => { console.log("error", event.message); process.exit(1); };
            socket.onopen = () => { socket.send("h\u00e9llo"); socket.send(large); socket.send("x".repeat(1 << 20)); };
            socket.onmessage = event => {
                heard.push(event.data);
                if (heard.length < 3) return;
                const same = Buffer.compare(Buffer.from(heard[1]), Buffer.from(large)) === 0;
                console.log(heard[0], same, heard[2].length);
                socket.close(4001, "enough");
            };
            socket.onclose = event => { console.log("closed", event.code, event.wasClean); process.exit(0); };
            """;

    @Test
    void node_exchanges_messages_and_closes_in_order() throws Exception {
        assumeTrue(
                ran("-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)"), "no node with a WebSocket client");
        try (var server = new EchoSocketServer();
                Proxy proxy =
                        Proxy.in(RequestThreadMode.IO).targets(server.url()).start()) {
            Process node = node(
                    "-e",
                    SCRIPT,
                    "ws://127.0.0.1:" + proxy.dataPlane().address().getPort() + "/chat");
            String told = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(told).contains("héllo true 1048576").contains("closed 4001 true");
            assertThat(server.closeCodes.poll(10, TimeUnit.SECONDS)).isEqualTo(4001);
            WebSocketTest.awaitNone(proxy);
        }
    }

    private static boolean ran(String... arguments) throws InterruptedException {
        try {
            return node(arguments).waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Process node(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("node", FLAG));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
