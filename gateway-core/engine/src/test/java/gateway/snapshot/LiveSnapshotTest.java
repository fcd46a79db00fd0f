package gateway.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.config.DefinitionReader;
import gateway.config.TestPolicies;
import gateway.http.Exchange;
import gateway.http.Response;
import gateway.http.UpstreamWaiter;
import gateway.policy.FakeServices;
import gateway.service.DefinitionSet;
import gateway.service.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which upstreams are told that requests may come, or come no more.
final class LiveSnapshotTest {
    private final List<String> told = new ArrayList<>();
    private int made;
    private boolean failing;
    private final SnapshotCompiler compiler = new SnapshotCompiler(
            new DefinitionReader(TestPolicies.registry()), new FakeServices(), _ -> new Told(++made));
    private final LiveSnapshot live = new LiveSnapshot();

    private final class Told implements Upstream {
        private final int number;

        Told(int number) {
            this.number = number;
        }

        @Override
        public Response send(Exchange exchange, UpstreamWaiter waiter) {
            return Response.of(200);
        }

        @Override
        public void served() {
            told.add(number + " served");
            if (failing) throw new StackOverflowError("as the test wants it");
        }

        @Override
        public void retired() {
            told.add(number + " retired");
            if (failing) throw new IllegalStateException("as the test wants it");
        }
    }

    private List<String> replace(Map<String, String> documents) {
        told.clear();
        Snapshot before = live.current();
        live.replace(compiler.compile(DefinitionSet.ofApis(before.revision() + 1, documents), before));
        return List.copyOf(told);
    }

    private static String api(String id, String more) {
        return "{\"id\": \"" + id + "\", \"match\": {\"path\": \"/" + id
                + "\"}, \"upstream\": {\"targets\": [{\"url\": \"http://10.0.0.1\"}]}" + more + "}";
    }

    @Test
    void each_is_told_once_when_it_comes_and_once_when_it_goes() {
        List<String> first = replace(Map.of("a", api("a", "")));
        List<String> same = replace(Map.of("a", api("a", "")));
        List<String> more = replace(Map.of("a", api("a", ""), "b", api("b", "")));
        List<String> fewer = replace(Map.of("b", api("b", "")));

        assertThat(first).containsExactly("1 served");
        assertThat(same).isEmpty();
        assertThat(more).containsExactly("2 served");
        assertThat(fewer).containsExactly("1 retired");
    }

    @Test
    void a_successor_is_served_before_its_predecessor_is_retired() {
        replace(Map.of("a", api("a", "")));

        List<String> changed = replace(Map.of("a", api("a", ", \"enabled\": true")));
        List<String> disabled = replace(Map.of("a", api("a", ", \"enabled\": false")));

        assertThat(changed).containsExactly("2 served", "1 retired");
        assertThat(disabled).containsExactly("2 retired");
    }

    @Test
    void what_fails_when_it_is_told_keeps_no_other_from_being_told() {
        replace(Map.of("a", api("a", ""), "b", api("b", "")));
        failing = true;

        List<String> changed = replace(Map.of("c", api("c", ""), "d", api("d", "")));

        assertThat(changed).containsExactlyInAnyOrder("3 served", "4 served", "1 retired", "2 retired");
        assertThat(live.current().apis()).containsOnlyKeys("c", "d");
    }
}
