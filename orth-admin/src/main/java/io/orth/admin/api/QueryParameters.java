package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Interceptor that rejects unknown query parameters: a misspelt filter would otherwise return everything. Calls of executors are exempt,
 * because XXL-JOB executors may send anything.
 */
@Configuration(proxyBeanMethods = false)
class QueryParameters implements HandlerInterceptor, WebMvcConfigurer {

    private static final int LONGEST_NAME = 100;

    private final Map<Method, Set<String>> known = new ConcurrentHashMap<>();

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getQueryString() != null
                && handler instanceof HandlerMethod call
                && isOurs(call)
                && !QueryFilter.hasParametersInItsBody(request)) {
            check(request.getParameterMap().keySet(), known.computeIfAbsent(call.getMethod(), QueryParameters::of));
        }
        return true;
    }

    private static boolean isOurs(HandlerMethod call) {
        return call.getBeanType().getPackageName().equals(QueryParameters.class.getPackageName())
                && !call.hasMethodAnnotation(Access.ExecutorToken.class);
    }

    /** Rejects the first unknown name. */
    static void check(Collection<String> given, Set<String> known) {
        for (String name : given) {
            boolean isMeta = known.contains(MetaFilter.NAME) && MetaFilter.isName(name);
            if (!known.contains(name) && !isMeta) {
                String shown = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "…" : name;
                throw OrthException.invalid(
                        shown,
                        known.isEmpty()
                                ? "is not a query parameter of this call, which has none"
                                : "is not a query parameter of this call; those are " + String.join(", ", known));
            }
        }
    }

    static Set<String> of(Method call) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(call.getParameters()).flatMap(QueryParameters::namesOf).forEach(names::add);
        if (call.isAnnotationPresent(MetaFilter.Supported.class)) {
            names.add(MetaFilter.NAME);
        }
        return names;
    }

    private static Stream<String> namesOf(Parameter parameter) {
        RequestParam named = parameter.getAnnotation(RequestParam.class);
        if (named != null) {
            String name = named.name().isEmpty() ? named.value() : named.name();
            return Stream.of(name.isEmpty() ? parameter.getName() : name);
        }
        boolean isQuery = parameter.getType().isRecord() && parameter.getAnnotations().length == 0;
        return isQuery
                ? Arrays.stream(parameter.getType().getRecordComponents()).map(RecordComponent::getName)
                : Stream.empty();
    }
}
