package gateway.app;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.PackageMatchers;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/// The arrows between modules and packages. A rule that finds no class to hold to it fails: it has lost its subject
/// ([ArchitectureRulesTest]).
@AnalyzeClasses(packages = "gateway", importOptions = ArchitectureTest.ProductionOnly.class)
final class ArchitectureTest {
    /// Each package sees only those before it.
    private static final Set<String> COMPOSITION_ROOT = Set.of("gateway.app.Gateway", "gateway.app.AdaptersStart");
    private static final List<String> ORDER = List.of(
            "gateway.json..",
            "gateway.xml..",
            "gateway.regex..",
            "gateway.http..",
            "gateway.net..",
            "gateway.capture..",
            "gateway.key..",
            "gateway.service..",
            "gateway.policy..",
            "gateway.config..",
            "gateway.pipeline..",
            "gateway.route..",
            "gateway.snapshot..",
            "gateway.policies..",
            "gateway.wire..",
            "gateway.component..",
            "gateway.app..");

    /// What sockets and protocols know of the engine.
    private static final Set<String> KNOWN_TO_THE_WIRE = Set.of("gateway.http..", "gateway.net..", "gateway.wire..");

    private static final List<String> FAMILIES = List.of(
            "gateway.policies.identity..",
            "gateway.policies.message..",
            "gateway.policies.cache..",
            "gateway.policies.script..");

    /// What families may see of policies.
    private static final List<String> FOUNDATIONS =
            List.of("gateway.policies.cryptography..", "gateway.policies.standard..");

    @ArchTest
    static final ArchRule each_package_sees_only_those_before_it =
            CompositeArchRule.of(IntStream.range(0, ORDER.size() - 1)
                    .mapToObj(ArchitectureTest::sees_nothing_after)
                    .toList());

    @ArchTest
    static final ArchRule every_package_has_its_place_in_the_order =
            classes().should().resideInAnyPackage(ORDER.toArray(String[]::new));

    @ArchTest
    static final ArchRule the_wire_knows_messages_and_networks_only = noClasses()
            .that()
            .resideInAPackage("gateway.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ORDER.stream()
                    .filter(each -> !KNOWN_TO_THE_WIRE.contains(each))
                    .toArray(String[]::new));

    /// The half of clients and the half of upstreams have in common what lies below both.
    @ArchTest
    static final ArchRule who_takes_connections_knows_nothing_of_who_opens_them = noClasses()
            .that()
            .resideInAPackage("gateway.wire.accept..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("gateway.wire.client..");

    @ArchTest
    static final ArchRule packages_form_no_cycle =
            SlicesRuleDefinition.slices().matching("gateway.(**)").should().beFreeOfCycles();

    /// From the command line to JSON: who changes a package has to look through no more than these.
    @ArchTest
    static void the_longest_path_of_packages_has_ten_of_them(JavaClasses all) {
        Map<String, Set<String>> seen = all.stream()
                .collect(Collectors.groupingBy(
                        JavaClass::getPackageName,
                        Collectors.flatMapping(ArchitectureTest::packages_it_sees, Collectors.toSet())));
        Map<String, Integer> lengths = new HashMap<>();

        int longest = seen.keySet().stream()
                .mapToInt(each -> longest_path(each, seen, lengths))
                .max()
                .orElse(0);

        assertThat(longest).isBetween(2, 10);
    }

    /// The composition roots of a gateway and of a member of the cache component, their settings, and no more than six
    /// files.
    @ArchTest
    static void the_root_package_is_small(JavaClasses all) {
        var files = all.stream()
                .filter(type -> type.getPackageName().equals("gateway.app"))
                .map(ArchitectureTest::outermost)
                .distinct();

        assertThat(files.count()).isBetween(1L, 6L);
    }

    @ArchTest
    static final ArchRule policies_do_not_know_each_other = noClasses()
            .that(belong_to_a_policy())
            .should(be(describe("dependent on another policy", ArchitectureTest::depends_on_another_policy)));

    /// What two of them need lies below both.
    @ArchTest
    static final ArchRule families_do_not_know_each_other = CompositeArchRule.of(
            FAMILIES.stream().map(ArchitectureTest::sees_no_other_family).toList());

    @ArchTest
    static final ArchRule what_families_stand_on_knows_none_of_them = CompositeArchRule.of(
            FOUNDATIONS.stream().map(each -> sees_none(each, FAMILIES)).toList());

    @ArchTest
    static final ArchRule every_policy_is_of_a_family = classes()
            .that()
            .resideInAPackage("gateway.policies..")
            .should()
            .resideInAnyPackage(
                    Stream.concat(FAMILIES.stream(), FOUNDATIONS.stream()).toArray(String[]::new));

    @ArchTest
    static final ArchRule only_wire_proxy_admin_and_steering_see_undertow = only_see(
            List.of("io.undertow..", "org.xnio.."),
            "gateway.wire..",
            "gateway.app.proxy..",
            "gateway.app.admin..",
            "gateway.app.steering..");

    /// Whoever compiles an expression of a definition otherwise leaves out its bounds.
    @ArchTest
    static final ArchRule only_regex_sees_re2j = only_see(List.of("com.google.re2j.."), "gateway.regex..");

    /// Whoever makes a parser elsewhere leaves out what makes it harmless.
    @ArchTest
    static final ArchRule only_xml_makes_parsers_of_xml = only_see(List.of("javax.xml.parsers.."), "gateway.xml..");

    /// Nor what else comes of a factory of the JDK: grammars, transformers, readers of streams.
    @ArchTest
    static final ArchRule only_xml_asks_factories_of_xml = noClasses()
            .that()
            .resideOutsideOfPackage("gateway.xml..")
            .should()
            .callMethodWhere(describe("makes a factory of XML", ArchitectureTest::makes_a_factory_of_xml));

    @ArchTest
    static final ArchRule only_keys_and_who_signs_see_nimbus = only_see(
            List.of("com.nimbusds.."),
            "gateway.policies.cryptography..",
            "gateway.policies.identity..",
            "gateway.policies.message.jose..");

    /// It is loaded by name and by a loader of its own, where it fits the machine.
    @ArchTest
    static final ArchRule nobody_sees_corretto =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("com.amazon.corretto..");

    @ArchTest
    static final ArchRule only_identity_sees_unboundid =
            only_see(List.of("com.unboundid.."), "gateway.policies.identity..");

    /// What a message may make of it is bounded there.
    @ArchTest
    static final ArchRule only_its_package_sees_graphql_java =
            only_see(List.of("graphql.."), "gateway.policies.message.graphql..");

    /// It builds whatever it is told, however large: what bounds it stands there.
    @ArchTest
    static final ArchRule only_transform_sees_jolt =
            only_see(List.of("com.bazaarvoice.."), "gateway.policies.message.transform..");

    /// By itself it calls methods of whatever it meets: what it is shown stands there.
    @ArchTest
    static final ArchRule only_template_sees_jmustache =
            only_see(List.of("com.samskivert.."), "gateway.policies.message.template..");

    @ArchTest
    static final ArchRule only_xslt_sees_saxon = only_see(List.of("net.sf.saxon.."), "gateway.policies.message.xslt..");

    @ArchTest
    static final ArchRule nobody_sees_the_resolver_of_saxon =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("org.xmlresolver..");

    @ArchTest
    static final ArchRule only_javascript_sees_rhino =
            only_see(List.of("org.mozilla.."), "gateway.policies.script.javascript..");

    @ArchTest
    static final ArchRule only_its_package_sees_groovy = only_see(
            List.of("groovy..", "org.codehaus.groovy..", "org.apache.groovy.."), "gateway.policies.script.groovy..");

    @ArchTest
    static final ArchRule only_the_component_sees_hazelcast =
            only_see(List.of("com.hazelcast.."), "gateway.component..");

    /// A gateway loads none of it.
    @ArchTest
    static final ArchRule only_its_process_sees_the_component = noClasses()
            .that()
            .resideOutsideOfPackages("gateway.component..", "gateway.app.component..")
            .and()
            .doNotHaveFullyQualifiedName("gateway.app.CacheNode")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("gateway.component..");

    @ArchTest
    static final ArchRule only_codings_see_brotli = only_see(List.of("org.brotli.."), "gateway.app.coding..");

    @ArchTest
    static final ArchRule only_packing_sees_native_codings =
            only_see(List.of("com.aayushatharva..", "com.github.luben.."), "gateway.policies.message");

    @ArchTest
    static final ArchRule only_settings_and_openapi_see_yaml = only_see(
            List.of("tools.jackson.dataformat.yaml..", "org.snakeyaml.."),
            "gateway.app.settings..",
            "gateway.policies.message.openapi..");

    @ArchTest
    static final ArchRule only_redis_sees_lettuce =
            only_see(List.of("io.lettuce..", "reactor.."), "gateway.app.redis..");

    @ArchTest
    static final ArchRule only_redis_and_tls_see_netty =
            only_see(List.of("io.netty.."), "gateway.app.redis..", "gateway.wire.tls..");

    @ArchTest
    static final ArchRule only_traffic_sees_elasticsearch = only_see(List.of("co.elastic.."), "gateway.app.traffic..");

    /// The typed client's JSON; ours is Jackson's.
    @ArchTest
    static final ArchRule nobody_names_jakarta_json = noClasses()
            .that()
            .resideOutsideOfPackage("gateway.app.traffic..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.json..", "org.eclipse.parsson..");

    @ArchTest
    static final ArchRule only_trace_sees_opentelemetry =
            only_see(List.of("io.opentelemetry.."), "gateway.app.trace..");

    @ArchTest
    static final ArchRule only_log_sees_logback = only_see(List.of("ch.qos.logback.."), "gateway.app.log..");

    @ArchTest
    static final ArchRule only_the_composition_root_makes_adapters = CompositeArchRule.of(noClasses()
                    .should()
                    .callCodeUnitWhere(
                            describe("makes an adapter outside of its package", ArchitectureTest::makes_an_adapter)))
            .and(is_there(describe("are adapters of a service", type -> is_adapter_of("gateway.service", type))))
            .and(is_there(describe("are adapters of the key store", type -> is_adapter_of("gateway.key", type))));

    @ArchTest
    static final ArchRule every_package_is_null_marked = classes()
            .should(be(describe(
                    "in a @NullMarked package", type -> type.getPackage().isAnnotatedWith(NullMarked.class))));

    private static ArchRule sees_nothing_after(int place) {
        return noClasses()
                .that()
                .resideInAPackage(ORDER.get(place))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ORDER.subList(place + 1, ORDER.size()).toArray(String[]::new));
    }

    private static ArchRule sees_no_other_family(String family) {
        return sees_none(
                family, FAMILIES.stream().filter(other -> !other.equals(family)).toList());
    }

    private static ArchRule sees_none(String from, List<String> others) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.toArray(String[]::new));
    }

    /// Each of `users` does use the library, and nobody else.
    private static ArchRule only_see(List<String> library, String... users) {
        var rules = Stream.of(users)
                .map(user -> is_there(describe(
                        "reside in " + user + " and use " + library,
                        type -> PackageMatchers.of(user).test(type.getPackageName()) && uses(type, library))));
        return CompositeArchRule.of(noClasses()
                        .that()
                        .resideOutsideOfPackages(users)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(library.toArray(String[]::new)))
                .and(CompositeArchRule.of(rules.toList()));
    }

    private static boolean uses(JavaClass type, List<String> library) {
        var packages = PackageMatchers.of(library);
        return type.getDirectDependenciesFromSelf().stream()
                .anyMatch(
                        dependency -> packages.test(dependency.getTargetClass().getPackageName()));
    }

    /// Fails when no class is so.
    private static ArchRule is_there(DescribedPredicate<JavaClass> subject) {
        return classes().that(subject).should(be(alwaysTrue()));
    }

    private static Stream<String> packages_it_sees(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getPackageName())
                .filter(target -> target.startsWith("gateway.") && !target.equals(type.getPackageName()));
    }

    private static int longest_path(String from, Map<String, Set<String>> seen, Map<String, Integer> lengths) {
        Integer known = lengths.get(from);
        if (known != null) return known;
        lengths.put(from, 1); // so that a circle, which another rule finds, comes to an end
        int length = 1
                + seen.getOrDefault(from, Set.of()).stream()
                        .mapToInt(each -> longest_path(each, seen, lengths))
                        .max()
                        .orElse(0);
        lengths.put(from, length);
        return length;
    }

    private static DescribedPredicate<JavaClass> belong_to_a_policy() {
        return describe("belong to a policy", type -> is_policy(outermost(type)));
    }

    private static boolean depends_on_another_policy(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> outermost(dependency.getTargetClass()))
                .anyMatch(target -> is_policy(target) && !target.equals(outermost(type)));
    }

    private static boolean is_policy(JavaClass type) {
        return type.getPackageName().startsWith("gateway.policies.")
                && type.isAssignableTo("gateway.policy.PolicySpec");
    }

    private static boolean makes_a_factory_of_xml(JavaCall<?> call) {
        return call.getTargetOwner().getPackageName().startsWith("javax.xml.")
                && call.getTarget().getName().matches("new\\w*(Instance|Factory)")
                && call.getTargetOwner().getSimpleName().endsWith("Factory");
    }

    private static boolean makes_an_adapter(JavaCall<?> call) {
        var maker = outermost(call.getOriginOwner());
        var made = call.getTargetOwner();
        return is_adapter(made)
                && is_construction(call)
                && !COMPOSITION_ROOT.contains(maker.getName())
                && !maker.getPackageName().equals(made.getPackageName());
    }

    private static boolean is_adapter(JavaClass type) {
        return type.getPackageName().startsWith("gateway.app.")
                && type.getAllRawInterfaces().stream().anyMatch(ArchitectureTest::is_port);
    }

    private static boolean is_adapter_of(String folder, JavaClass type) {
        return is_adapter(type)
                && type.getAllRawInterfaces().stream()
                        .anyMatch(port -> is_port(port) && port.getPackageName().equals(folder));
    }

    private static boolean is_port(JavaClass type) {
        return type.getPackageName().equals("gateway.service") || type.getName().equals("gateway.key.KeyStore");
    }

    private static boolean is_construction(JavaCall<?> call) {
        return call.getTarget()
                .resolveMember()
                .filter(unit -> unit.isConstructor() || is_factory(unit))
                .isPresent();
    }

    private static boolean is_factory(JavaCodeUnit unit) {
        return unit.getModifiers().contains(JavaModifier.STATIC)
                && unit.getRawReturnType().equals(unit.getOwner());
    }

    private static JavaClass outermost(JavaClass type) {
        return Stream.iterate(type, inner -> inner.getEnclosingClass().orElseThrow())
                .dropWhile(inner -> inner.getEnclosingClass().isPresent())
                .findFirst()
                .orElseThrow();
    }

    /// Leaves out test classes, also those of the test-jar.
    static final class ProductionOnly implements ImportOption {
        private static final List<String> TESTS = List.of("/test-classes/", "-tests.jar");

        @Override
        public boolean includes(Location location) {
            return TESTS.stream().noneMatch(location::contains);
        }
    }
}
