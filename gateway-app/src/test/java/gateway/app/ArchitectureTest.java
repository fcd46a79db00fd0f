package gateway.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/// The arrows between modules and packages. A rule may find no class yet; it holds from the first one on.
@AnalyzeClasses(packages = "gateway", importOptions = ArchitectureTest.ProductionOnly.class)
final class ArchitectureTest {
    /// Each package sees only those before it.
    private static final List<String> ORDER = List.of(
            "gateway.json..",
            "gateway.regex..",
            "gateway.http..",
            "gateway.capture..",
            "gateway.key..",
            "gateway.service..",
            "gateway.policy..",
            "gateway.config..",
            "gateway.version..",
            "gateway.pipeline..",
            "gateway.route..",
            "gateway.snapshot..",
            "gateway.policies..",
            "gateway.app..");

    @ArchTest
    static final ArchRule each_package_sees_only_those_before_it =
            CompositeArchRule.of(IntStream.range(0, ORDER.size() - 1)
                    .mapToObj(ArchitectureTest::sees_nothing_after)
                    .toList());

    @ArchTest
    static final ArchRule every_package_has_its_place_in_the_order =
            classes().should().resideInAnyPackage(ORDER.toArray(String[]::new));

    @ArchTest
    static final ArchRule policies_do_not_know_each_other = noClasses()
            .that(belong_to_a_policy())
            .should(be(describe("dependent on another policy", ArchitectureTest::depends_on_another_policy)))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule only_http_and_tls_see_undertow = only_see(
            List.of("io.undertow..", "org.xnio.."),
            "gateway.app.io..",
            "gateway.app.server..",
            "gateway.app.http2..",
            "gateway.app.upstream..",
            "gateway.app.tls..");

    /// Whoever compiles an expression of a definition otherwise leaves out its bounds.
    @ArchTest
    static final ArchRule only_regex_sees_re2j = only_see(List.of("com.google.re2j.."), "gateway.regex..");

    @ArchTest
    static final ArchRule only_redis_sees_lettuce =
            only_see(List.of("io.lettuce..", "reactor.."), "gateway.app.redis..");

    @ArchTest
    static final ArchRule only_redis_and_tls_see_netty =
            only_see(List.of("io.netty.."), "gateway.app.redis..", "gateway.app.tls..");

    @ArchTest
    static final ArchRule only_traffic_sees_elasticsearch = only_see(List.of("co.elastic.."), "gateway.app.traffic..");

    @ArchTest
    static final ArchRule only_trace_sees_opentelemetry =
            only_see(List.of("io.opentelemetry.."), "gateway.app.trace..");

    @ArchTest
    static final ArchRule only_log_sees_logback = only_see(List.of("ch.qos.logback.."), "gateway.app.log..");

    @ArchTest
    static final ArchRule only_the_composition_root_makes_adapters = noClasses()
            .should()
            .callCodeUnitWhere(describe("makes an adapter outside of its package", ArchitectureTest::makes_an_adapter));

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
                .resideInAnyPackage(ORDER.subList(place + 1, ORDER.size()).toArray(String[]::new))
                .allowEmptyShould(true);
    }

    private static ArchRule only_see(List<String> library, String... users) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(users)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library.toArray(String[]::new))
                .allowEmptyShould(true);
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
        return type.getPackageName().equals("gateway.policies") && type.isAssignableTo("gateway.policy.PolicySpec");
    }

    private static boolean makes_an_adapter(JavaCall<?> call) {
        var maker = outermost(call.getOriginOwner());
        var made = call.getTargetOwner();
        return is_adapter(made)
                && is_construction(call)
                && !maker.getName().equals("gateway.app.Gateway")
                && !maker.getPackageName().equals(made.getPackageName());
    }

    private static boolean is_adapter(JavaClass type) {
        return type.getPackageName().startsWith("gateway.app.")
                && type.getAllRawInterfaces().stream()
                        .anyMatch(port -> port.getPackageName().equals("gateway.service"));
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
