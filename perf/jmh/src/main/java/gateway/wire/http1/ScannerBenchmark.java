package gateway.wire.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What looking at the bytes of a request costs before the HTTP parser gets them. Stands in the package of what it
/// measures, which nothing else need see.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(1)
public class ScannerBenchmark {
    private final RequestScanner scanner = new RequestScanner(WireLimits.DEFAULT);
    private final ByteBuffer wrk = direct("GET /orders/1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n");
    private final ByteBuffer api = direct("""
            GET /orders/items/4711?expand=lines HTTP/1.1\r
            Host: api.example.com\r
            User-Agent: curl/8.5.0\r
            Accept: application/json\r
            Authorization: Bearer 0123456789abcdef0123456789abcdef\r
            Accept-Encoding: gzip\r
            \r
            """);
    private final ByteBuffer browser = direct("GET / HTTP/1.1\r\nHost: www.example.com\r\n"
            + ("X-Some-Header: " + "v".repeat(70) + "\r\n").repeat(9) + "\r\n");
    private final ByteBuffer chunked =
            direct("POST /orders HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n" + "400\r\n"
                    + "x".repeat(1024) + "\r\n0\r\n\r\n");

    /// 50 bytes, 2 lines: what a load generator sends.
    @Benchmark
    public int smallHead() {
        return scanner.scan(wrk, 0, wrk.limit());
    }

    /// 200 bytes, 6 lines: what an API client sends.
    @Benchmark
    public int apiHead() {
        return scanner.scan(api, 0, api.limit());
    }

    /// 800 bytes, 11 lines.
    @Benchmark
    public int browserHead() {
        return scanner.scan(browser, 0, browser.limit());
    }

    /// A head and 1 KiB in one chunk.
    @Benchmark
    public int chunkedBody() {
        return scanner.scan(chunked, 0, chunked.limit());
    }

    private static ByteBuffer direct(String text) {
        return ByteBuffer.allocateDirect(text.length())
                .put(text.getBytes(US_ASCII))
                .flip();
    }
}
