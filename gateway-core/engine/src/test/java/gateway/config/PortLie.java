package gateway.config;

import gateway.http.Body;
import gateway.http.Headers;
import gateway.key.ApiKey;
import gateway.key.StoredKey;
import gateway.policy.TroubledServices.Port;
import gateway.policy.TroubledServices.Trouble;
import gateway.service.CallAnswer;
import gateway.service.EntryStore;
import gateway.service.Permit;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// An answer of a port that is not what it should be.
///
/// @param question that it answers
/// @param refuses whether it says what has a request refused
record PortLie(String name, String question, boolean refuses, Trouble trouble) {
    private static final List<String> GARBAGE = List.of("", "\u0000", "[[{", "a|b|c|-1|", "9".repeat(1 << 16));

    static List<PortLie> of(Port port) {
        return switch (port) {
            case KEYS -> keys();
            case COUNTERS -> counters();
            case SHORT_TERM -> shortTerm();
            case ENTRIES -> entries();
            case SERVERS -> servers();
        };
    }

    private static PortLie of(String name, String question, boolean refuses, UnaryOperator<Object> instead) {
        return new PortLie(name, question, refuses, Trouble.lie(question, instead));
    }

    private static List<PortLie> keys() {
        var lies = new ArrayList<PortLie>();
        for (String question : List.of("authenticate", "find")) {
            lies.add(of(question + " none", question, true, _ -> Optional.empty()));
            lies.add(of(question + " disabled", question, true, found -> changed(found, false, Optional.empty())));
            lies.add(of(
                    question + " expired", question, true, found -> changed(found, true, Optional.of(Instant.EPOCH))));
        }
        return lies;
    }

    private static Object changed(Object found, boolean enabled, Optional<Instant> expires) {
        return ((Optional<?>) found).map(each -> switch (each) {
            case StoredKey(ApiKey key, String version) -> new StoredKey(changed(key, enabled, expires), version);
            case ApiKey key -> changed(key, enabled, expires);
            default -> throw new IllegalStateException("no key");
        });
    }

    private static ApiKey changed(ApiKey key, boolean enabled, Optional<Instant> expires) {
        return new ApiKey(
                        key.id(),
                        key.name(),
                        enabled,
                        expires,
                        key.apis(),
                        key.rateLimit(),
                        key.quota(),
                        key.tags(),
                        key.metadata())
                .withCredentials(key.credentials());
    }

    private static List<PortLie> counters() {
        return List.of(
                permit(new Permit.Denied(0, 0, 0, 0), true),
                permit(new Permit.Denied(-1, -1, -1, -1), true),
                permit(new Permit.Denied(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), true),
                permit(new Permit.Granted(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), false),
                permit(new Permit.Granted(0, -1, -1), false));
    }

    private static PortLie permit(Permit permit, boolean refuses) {
        return of(
                permit.toString(),
                "acquire",
                refuses,
                found -> ((List<?>) found).stream().map(_ -> permit).toList());
    }

    private static List<PortLie> shortTerm() {
        var lies = new ArrayList<PortLie>();
        lies.add(of("not new", "putIfAbsent", true, _ -> false));
        for (String text : GARBAGE) {
            String name = "a text of " + text.length() + " characters";
            lies.add(of(name, "get", false, _ -> Optional.of(text)));
        }
        return lies;
    }

    private static List<PortLie> entries() {
        return GARBAGE.stream()
                .map(text -> of("an entry of " + text.length() + " bytes", "find", false, _ -> entry(text)))
                .toList();
    }

    private static EntryStore.Found entry(String text) {
        return new EntryStore.Found("0", Optional.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<PortLie> servers() {
        return GARBAGE.stream()
                .map(text -> of("an answer of " + text.length() + " bytes", "send", false, _ -> answer(text)))
                .toList();
    }

    private static CallAnswer answer(String text) {
        return new CallAnswer(200, Headers.create(), Body.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
