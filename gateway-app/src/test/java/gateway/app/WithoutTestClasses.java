package gateway.app;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.function.Supplier;

/// The class path as the process has it: service loaders do not see what tests bring.
final class WithoutTestClasses extends ClassLoader {
    private WithoutTestClasses(ClassLoader parent) {
        super("without test classes", parent);
    }

    static <T> T call(Supplier<T> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new WithoutTestClasses(before));
        try {
            return action.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return Collections.enumeration(Collections.list(super.getResources(name)).stream()
                .filter(url -> !url.getPath().contains("/test-classes/"))
                .toList());
    }
}
