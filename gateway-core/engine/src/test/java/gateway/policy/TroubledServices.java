package gateway.policy;

import gateway.service.DependencyException;
import gateway.service.ServerCalls;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Services made of fakes, one port of which is in trouble for as long as a test wishes. Tells which ports were taken
/// and which of them were asked something that may fail.
public final class TroubledServices {
    /// What lies outside of this process.
    public enum Port {
        KEYS("keys"),
        COUNTERS("limits"),
        SHORT_TERM("shortTerm"),
        ENTRIES("entries"),
        SERVERS("calls");

        private final String accessor;

        Port(String accessor) {
            this.accessor = accessor;
        }

        /// Whether the answer may take its time, and not come.
        private boolean mayFail(String question) {
            return switch (this) {
                case KEYS -> question.equals("authenticate") || question.equals("find");
                case COUNTERS -> question.equals("acquire") || question.equals("peek");
                case SHORT_TERM -> Set.of("putIfAbsent", "put", "get", "remove").contains(question);
                case ENTRIES -> question.equals("find");
                case SERVERS -> question.equals("send");
            };
        }
    }

    /// What comes in the place of an answer.
    @FunctionalInterface
    public interface Trouble {
        Trouble NONE = (_, answer) -> answer.get();

        /// Nobody answers.
        Trouble AWAY = (_, _) -> {
            throw new DependencyException("contract", "away");
        };

        /// What was asked for is done, and the answer comes past the deadline.
        Trouble LATE = (_, answer) -> {
            Object missed = answer.get();
            throw new DependencyException("contract", "timeout", "too late: " + missed, null);
        };

        /// Likewise, and it is this node that was too slow.
        Trouble STARVED = (_, answer) -> {
            var _ = answer.get();
            throw DependencyException.starved("contract");
        };

        /// @param question the name of the port's method
        Object answer(String question, Supplier<Object> answer);

        /// Another answer to one question.
        static Trouble lie(String asked, UnaryOperator<Object> instead) {
            return (question, answer) -> question.equals(asked) ? instead.apply(answer.get()) : answer.get();
        }
    }

    private final Set<Port> taken = ConcurrentHashMap.newKeySet();
    private final Set<Port> asked = ConcurrentHashMap.newKeySet();
    private final Set<String> questions = ConcurrentHashMap.newKeySet();
    private final Port port;
    private final Services services;
    private volatile Trouble trouble = Trouble.NONE;

    /// @param port that will be in trouble
    public TroubledServices(FakeServices real, Port port) {
        this.port = port;
        services = in(Services.class, real, (question, answer) -> taken(question, answer.get()));
    }

    public Services services() {
        return services;
    }

    /// From now on.
    public void begin(Trouble other) {
        trouble = other;
    }

    public Set<Port> taken() {
        return taken.isEmpty() ? Set.of() : EnumSet.copyOf(taken);
    }

    public Set<Port> asked() {
        return asked.isEmpty() ? Set.of() : EnumSet.copyOf(asked);
    }

    /// Names of those that the port was asked that is in trouble.
    public Set<String> questions() {
        return Set.copyOf(questions);
    }

    private Object taken(String accessor, Object found) {
        for (Port each : Port.values()) {
            if (!each.accessor.equals(accessor)) continue;
            taken.add(each);
            return in(face(found), found, (question, answer) -> asked(each, question, answer));
        }
        return found;
    }

    private Object asked(Port which, String question, Supplier<Object> answer) {
        if (!which.mayFail(question)) {
            Object found = answer.get();
            return found instanceof ServerCalls
                    ? in(ServerCalls.class, found, (inner, sent) -> asked(which, inner, sent))
                    : found;
        }
        asked.add(which);
        if (which != port) return answer.get();
        questions.add(question);
        return trouble.answer(question, answer);
    }

    private static Class<?> face(Object fake) {
        return Arrays.stream(fake.getClass().getInterfaces()).findFirst().orElseThrow();
    }

    @SuppressWarnings("ReferenceEquality") // a proxy equals itself alone
    private static <T> T in(Class<T> face, Object real, Trouble between) {
        InvocationHandler handler =
                (proxy, method, arguments) -> method.getName().equals("equals")
                        ? proxy == arguments[0]
                        : between.answer(method.getName(), () -> call(real, method, arguments));
        return face.cast(Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, handler));
    }

    private static Object call(Object real, Method method, Object[] arguments) {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException why) throw why;
            if (e.getCause() instanceof Error why) throw why;
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
