package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

class AccessRulesTest {

    static final class Controller {

        @Access(Role.VIEWER)
        public void clear() {}

        public void silent() {}

        @Access(Role.ADMIN)
        @Access.Public
        public void contradictory() {}
    }

    @Test
    void acceptsRouteWithAccessRule() {
        assertThatCode(() -> rulesFor("clear").afterSingletonsInstantiated()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "contradictory"})
    void doesNotStartWithARouteThatSaysNothingOrTwoThings(String method) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> rulesFor(method).afterSingletonsInstantiated())
                .withMessageContaining(method)
                .withMessageContaining("@Access.Public");
    }

    private static AccessRules rulesFor(String name) throws ReflectiveOperationException {
        Method method = Controller.class.getMethod(name);
        RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();
        mapping.registerMapping(RequestMappingInfo.paths("/api/x").build(), new Controller(), method);
        return new AccessRules(mapping);
    }
}
