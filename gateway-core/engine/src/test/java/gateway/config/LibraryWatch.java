package gateway.config;

import gateway.policy.PolicyType;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/// Loads the classes of policies anew, and notes which classes of libraries they ask for. What the engine itself
/// stands on is there anyway.
public final class LibraryWatch extends ClassLoader {
    private static final String POLICIES = "gateway.policies.";
    private static final List<String> THERE_ANYWAY = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "org.w3c.dom.",
            "org.xml.sax.",
            "gateway.",
            "tools.jackson.",
            "com.fasterxml.jackson.",
            "com.google.re2j.",
            "io.micrometer.",
            "org.slf4j.",
            "org.jspecify.");

    private final ClassLoader source;
    private final String home;
    private final TreeSet<String> asked = new TreeSet<>();

    private LibraryWatch(PolicyType type) {
        super(type.getClass().getClassLoader());
        this.source = type.getClass().getClassLoader();
        this.home = type.getClass().getPackageName() + '.';
    }

    /// Made of the same class, whose libraries are those of its own loader, see [#asked(PolicyType)].
    public static PolicyType again(PolicyType type) throws ReflectiveOperationException {
        var constructor =
                new LibraryWatch(type).loadClass(type.getClass().getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (PolicyType) constructor.newInstance();
    }

    /// What was asked for by one that was made [#again].
    public static Collection<String> asked(PolicyType again) {
        return List.copyOf(((LibraryWatch) again.getClass().getClassLoader()).asked);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (name.startsWith(POLICIES) || name.startsWith(home)) {
                Class<?> known = findLoadedClass(name);
                return known == null ? defined(name) : known;
            }
        }
        if (THERE_ANYWAY.stream().noneMatch(name::startsWith)) asked.add(name);
        return super.loadClass(name, resolve);
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
        try (InputStream file = source.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) throw new ClassNotFoundException(name);
            byte[] bytes = file.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
