package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

/// The rules of [ArchitectureTest] can fail.
final class ArchitectureRulesTest {
    /// Each is asked about no class at all.
    @Test
    void a_rule_without_a_subject_fails() throws IllegalAccessException {
        JavaClasses none = new ClassFileImporter().importPackages("gateway.nothing");
        int rules = 0;
        for (Field field : ArchitectureTest.class.getDeclaredFields()) {
            if (Modifier.isPrivate(field.getModifiers()) || !(field.get(null) instanceof ArchRule rule)) continue;
            rules++;
            assertThatThrownBy(() -> rule.check(none)).as(field.getName()).isInstanceOf(AssertionError.class);
        }

        assertThat(none).isEmpty();
        assertThat(rules).isGreaterThan(10);
    }
}
