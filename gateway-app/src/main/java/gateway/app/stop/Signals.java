package gateway.app.stop;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signals of the operating system that the process answers itself. Java has no API for them but
/// `sun.misc.Signal` of the module `jdk.unsupported`, which compilers warn of; so it is called by name.
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /// Calls `answer` on a thread of its own each time that the signal comes.
    ///
    /// @param name without SIG, such as `TERM`
    /// @return whether it will; not under `-Xrs`, nor where a signal or the module is missing
    static boolean answer(String name, Runnable answer) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object calling = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, called, with) -> {
                        if (called.getDeclaringClass() == handler) answer.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), calling);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("SIG{} is left to the JVM", name, e);
            return false;
        }
    }
}
