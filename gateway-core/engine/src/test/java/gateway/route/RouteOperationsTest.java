package gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.OperationDefinition;
import gateway.http.PathPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Choosing an operation, against a search through all of them.
final class RouteOperationsTest {
    private static final List<String> SEGMENTS = List.of("a", "b", "{x}", "{y}");
    private static final List<String> SENT = List.of("a", "b", "c");
    private static final List<String> METHODS = List.of("GET", "POST", "HEAD");

    @Property
    void the_tree_finds_what_a_search_through_all_finds(@ForAll long seed) {
        var random = new Random(seed);
        List<OperationDefinition> operations = operations(random);
        String path = path(random);
        String method = random.nextInt(5) == 0 ? "DELETE" : one(METHODS, random);
        Route base = RouteTableTest.route("base", "/");
        Map<OperationDefinition, Route> routes = new LinkedHashMap<>();
        for (OperationDefinition each : operations) {
            if (routes.keySet().stream().noneMatch(other -> clashes(other, each)))
                routes.put(each, RouteTableTest.route(each.id(), "/"));
        }

        Route chosen = new RouteOperations(routes).choose(base, path, method);

        int longest = routes.keySet().stream()
                .filter(each -> takes(each, path, method))
                .mapToInt(each -> PathPattern.of(each.path()).segments().size())
                .max()
                .orElse(-1);
        if (longest < 0) {
            assertThat(chosen).isSameAs(base);
            return;
        }
        OperationDefinition found = routes.entrySet().stream()
                .filter(entry -> entry.getValue().apiId().equals(chosen.apiId()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        assertThat(takes(found, path, method)).isTrue();
        assertThat(PathPattern.of(found.path()).segments()).hasSize(longest);
    }

    private static boolean takes(OperationDefinition operation, String path, String method) {
        boolean methodFits = operation.methods().isEmpty()
                || operation.methods().contains(method)
                || (method.equals("HEAD") && operation.methods().contains("GET"));
        return methodFits && PathPattern.of(operation.path()).covers(path);
    }

    private static boolean clashes(OperationDefinition a, OperationDefinition b) {
        boolean samePath = a.path().replaceAll("\\{\\w+}", "{}").equals(b.path().replaceAll("\\{\\w+}", "{}"));
        boolean sameMethods = (a.methods().isEmpty() && b.methods().isEmpty())
                || a.methods().stream().anyMatch(b.methods()::contains);
        return samePath && sameMethods;
    }

    private static List<OperationDefinition> operations(Random random) {
        var operations = new ArrayList<OperationDefinition>();
        for (int i = random.nextInt(9); i > 0; i--) {
            String path = "/" + String.join("/", new LinkedHashSet<>(some(SEGMENTS, 4, random)));
            Set<String> methods = new HashSet<>(some(METHODS, 2, random));
            operations.add(new OperationDefinition("o" + i, path, methods, List.of()));
        }
        return operations;
    }

    private static String path(Random random) {
        String path = "/" + String.join("/", some(SENT, 5, random));
        return path.length() > 1 && random.nextBoolean() ? path + "/" : path;
    }

    private static List<String> some(List<String> among, int most, Random random) {
        var found = new ArrayList<String>();
        for (int i = random.nextInt(most + 1); i > 0; i--) found.add(one(among, random));
        return found;
    }

    private static String one(List<String> among, Random random) {
        return among.get(random.nextInt(among.size()));
    }
}
