package gateway.app.entries;

import static gateway.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.component.OwnComponent;
import gateway.app.memory.MemoryPurges;
import gateway.app.proxy.DataPlane;
import gateway.app.proxy.DataPlaneSettings;
import gateway.app.steering.HttpCalls;
import gateway.app.steering.Upstreams;
import gateway.http.Secret;
import gateway.service.CallTarget;
import gateway.service.DependencyException;
import gateway.service.EntryName;
import gateway.service.EntryStore;
import gateway.service.EntryStoreContract;
import gateway.service.FakeEntryStore;
import gateway.service.ManualClock;
import gateway.snapshot.LiveSnapshot;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComponentEntryStoreTest implements EntryStoreContract {
    @TempDir
    private static Path data;

    private static final ManualClock clock = ManualClock.create();
    private static OwnComponent component;
    private static DataPlane plane;
    private static HttpCalls calls;

    private static int tests;

    private final String namespace = "test" + tests++; // what others have left is not found
    private final FakeEntryStore told = new FakeEntryStore(clock);
    private final List<ComponentEntryStore> opened = new ArrayList<>();
    private ComponentEntryStore store;

    @BeforeAll
    static void start() throws IOException {
        component = OwnComponent.start(data, clock);
        plane = new DataPlane(
                DataPlaneSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), new LiveSnapshot());
        calls = new Upstreams().calls(new SimpleMeterRegistry());
        calls.runOn(plane.ioThreads());
    }

    @AfterAll
    static void stop() {
        calls.stop();
        plane.stop(Duration.ZERO);
        component.close();
    }

    @BeforeEach
    void open() {
        store = open(OwnComponent.TOKEN, url(component.address().getPort()));
    }

    @AfterEach
    void close() {
        opened.forEach(ComponentEntryStore::close);
    }

    @Override
    public EntryStore store() {
        return store;
    }

    @Override
    public EntryStore other() {
        return open(OwnComponent.TOKEN, url(component.address().getPort()));
    }

    @Override
    public void cutOff() {
        told.cutOff();
    }

    @Override
    public void letArrive(String group) {}

    @Override
    public void join() {
        told.join();
    }

    @Override
    public int remembered() {
        return FakeEntryStore.REMEMBERED;
    }

    @Override
    public void letPass(Duration time) {
        until(store::isIdle); // what is written later would end later
        clock.advance(time);
    }

    @Test
    void what_one_node_keeps_the_others_find_and_what_it_forgets_they_are_told() {
        ComponentEntryStore other =
                open(OwnComponent.TOKEN, url(component.address().getPort()));
        List<String> heard = new CopyOnWriteArrayList<>();
        other.watch(heard::add, () -> {});
        keepUntilFound("text");
        assertThat(other.find(NAME).entry()).contains("text".getBytes(UTF_8));

        store.forget("group");

        assertThat(store.find(NAME).entry()).isEmpty();
        until(() -> other.find(NAME).entry().isEmpty());
        until(() -> heard.equals(List.of("group", "group")));
    }

    @Test
    void who_is_told_of_what_is_forgotten_is_told_once_more_when_nobody_finds_it_any_longer() {
        ComponentEntryStore other =
                open(OwnComponent.TOKEN, url(component.address().getPort()));
        List<Boolean> found = new CopyOnWriteArrayList<>();
        other.watch(_ -> found.add(other.find(NAME).entry().isPresent()), () -> {});
        keepUntilFound("text");

        store.forget("group");

        until(() -> found.size() == 2);
        assertThat(found.getLast()).isFalse();
    }

    @Test
    void a_wrong_token_is_an_outage_of_sharing_alone() {
        ComponentEntryStore refused = open(
                "another-token-0123456789-0123456789", url(component.address().getPort()));

        assertThatThrownBy(() -> refused.find(NAME)).isInstanceOf(DependencyException.class);
        refused.keep(NAME, "", "text".getBytes(UTF_8), HOUR);
        refused.forget("group");
    }

    @Test
    void a_member_that_is_away_is_passed_by_once_that_is_known() {
        ComponentEntryStore two =
                open(OwnComponent.TOKEN, url(1), url(component.address().getPort()));

        for (int i = 0; i < 20; i++) {
            var name = new EntryName("group-" + i, "name");
            until(() -> isAnswered(two, name));
        }
    }

    @Test
    void what_could_not_be_forgotten_is_not_found_until_it_is() {
        keepUntilFound("text");
        ComponentEntryStore away = open(OwnComponent.TOKEN, url(1));

        away.forget("group");

        assertThat(away.find(NAME).entry()).isEmpty(); // where it would ask, it would fail
    }

    private static boolean isAnswered(EntryStore asked, EntryName name) {
        try {
            asked.find(name);
            return true;
        } catch (DependencyException e) {
            return false;
        }
    }

    private ComponentEntryStore open(String token, URI... members) {
        var terms = new ComponentTerms(List.of(members), new Secret(token), Duration.ofSeconds(5));
        var ways = Stream.of(members)
                .map(each -> calls.to(CallTarget.of(each), "/cacheComponent"))
                .toList();
        var made = ComponentEntryStore.open(ways, terms, namespace, told, new MemoryPurges());
        opened.add(made);
        return made;
    }

    private static URI url(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    private void keepUntilFound(String text) {
        until(() -> {
            store().keep(NAME, store().find(NAME).state(), text.getBytes(UTF_8), HOUR);
            return store().find(NAME).entry().isPresent();
        });
    }
}
