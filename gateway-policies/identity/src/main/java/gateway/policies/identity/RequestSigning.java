package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.HeldBody;
import gateway.http.Outgoing;
import gateway.policies.identity.StructuredField.Bare;
import gateway.policies.identity.StructuredField.InnerList;
import gateway.policies.identity.StructuredField.Item;
import gateway.policies.identity.StructuredField.Kind;
import gateway.policy.Policy;
import gateway.policy.Verdict;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// Signs what goes out (RFC 9421): with its time, its end and a nonce, so that a verifier takes each once.
record RequestSigning(RequestSignature signature, RequestSigner signer, InstantSource clock) implements Policy {
    @Override
    public Verdict apply(Exchange exchange) {
        Outgoing outgoing = exchange.outgoing();
        if (signature.coversBody()) {
            if (exchange.held().isEmpty() && !AwsSigning.isEmpty(exchange)) return AwsSigning.unsigned(exchange);
            byte[] content = exchange.held().map(HeldBody::content).orElse(new byte[0]);
            outgoing.headers().set("Content-Digest", "sha-256=:" + base64(Sha256.of(content)) + ':');
        }
        var base = new StringBuilder(512);
        var items = new ArrayList<Item>(signature.cover().size());
        for (String name : signature.cover()) {
            if (!isThere(name, outgoing.headers())) continue;
            var item = new Item(new Bare(Kind.TEXT, name), Map.of());
            items.add(item);
            item.write(base);
            base.append(": ").append(value(name, outgoing)).append('\n');
        }
        var input = new StringBuilder(256);
        new InnerList(items, parameters()).write(input);
        base.append("\"@signature-params\": ").append(input);
        byte[] signed = signer.sign(base.toString().getBytes(StandardCharsets.ISO_8859_1));
        outgoing.headers().set("Signature-Input", signature.label() + '=' + input);
        outgoing.headers().set("Signature", signature.label() + "=:" + base64(signed) + ':');
        return Verdict.proceed();
    }

    private static boolean isThere(String name, Headers headers) {
        return name.startsWith("@") || headers.contains(name);
    }

    private String value(String name, Outgoing outgoing) {
        return switch (name) {
            case "@method" -> outgoing.method();
            case "@authority" -> outgoing.authority().isEmpty() ? signature.host() : outgoing.authority();
            case "@path" -> outgoing.path();
            case "@query" -> '?' + outgoing.query();
            default -> SignatureForm.joined(outgoing.headers().all(name));
        };
    }

    private Map<String, Bare> parameters() {
        long now = clock.instant().getEpochSecond();
        var all = new LinkedHashMap<String, Bare>();
        all.put("created", new Bare(Kind.INTEGER, Long.toString(now)));
        all.put(
                "expires",
                new Bare(Kind.INTEGER, Long.toString(now + signature.lifetime().toSeconds())));
        all.put("nonce", new Bare(Kind.TEXT, RandomText.next()));
        all.put("alg", new Bare(Kind.TEXT, signature.algorithm().message().word()));
        all.put("keyid", new Bare(Kind.TEXT, signature.keyId()));
        if (signature.tag().isPresent())
            all.put("tag", new Bare(Kind.TEXT, signature.tag().get()));
        return all;
    }

    private static String base64(byte[] content) {
        return Base64.getEncoder().encodeToString(content);
    }

    @Override
    public String toString() {
        return signature.algorithm().message().word() + ' ' + signature.keyId();
    }
}
