package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.Access.Audited;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Access rules of controller methods. A call is decided by the access annotation of its controller method. The admin does not start if one
 * of Orth's controller methods has no such annotation, or more than one.
 */
final class AccessRules implements AuthorizationManager<RequestAuthorizationContext>, SmartInitializingSingleton {

    /** Access rule of one route; {@code role} is null unless {@code kind} is {@link Kind#ROLE}. */
    record Route(Kind kind, Role role, String pattern, Audited audited) {}

    enum Kind {
        PUBLIC,
        EXECUTOR,
        ROLE
    }

    /** Matches the paths of controllers, after decoding. */
    static final RequestMatcher API = PathPatternRequestMatcher.pathPattern("/api/**");

    private static final String OURS = "io.orth.";
    private static final String FOUND = AccessRules.class.getName() + ".route";

    private final RequestMappingHandlerMapping controllers;
    private Map<Method, Route> routes = Map.of();

    AccessRules(RequestMappingHandlerMapping controllers) {
        this.controllers = controllers;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<Method, Route> found = new HashMap<>();
        List<String> silent = new ArrayList<>();
        controllers.getHandlerMethods().forEach((mapping, handler) -> {
            if (handler.getBeanType().getName().startsWith(OURS)) {
                Optional<Route> route = declared(mapping, handler.getMethod());
                route.ifPresentOrElse(
                        said -> found.put(handler.getMethod(), said), () -> silent.add(handler.getShortLogMessage()));
            }
        });
        if (!silent.isEmpty()) {
            throw new IllegalStateException(
                    "these need exactly one of @Access, @Access.Public, @Access.ExecutorToken: " + silent);
        }
        routes = Map.copyOf(found);
    }

    private static Optional<Route> declared(RequestMappingInfo mapping, Method method) {
        String pattern = String.join(" or ", mapping.getPatternValues());
        List<Route> declared = new ArrayList<>();
        if (method.isAnnotationPresent(Access.class)) {
            Access access = method.getAnnotation(Access.class);
            declared.add(new Route(Kind.ROLE, access.value(), pattern, access.audited()));
        }
        if (method.isAnnotationPresent(Access.Public.class)) {
            declared.add(new Route(Kind.PUBLIC, null, pattern, Audited.CHANGES));
        }
        if (method.isAnnotationPresent(Access.ExecutorToken.class)) {
            declared.add(new Route(Kind.EXECUTOR, null, pattern, Audited.NEVER));
        }
        return declared.size() == 1 ? Optional.of(declared.get(0)) : Optional.empty();
    }

    /** Returns the route of the call; empty if none of Orth's controllers handles it. */
    Optional<Route> find(HttpServletRequest request) {
        if (request.getAttribute(FOUND) instanceof Optional<?> known) {
            return known.map(Route.class::cast);
        }
        Optional<Route> route = handlerOf(request).map(HandlerMethod::getMethod).map(routes::get);
        request.setAttribute(FOUND, route);
        return route;
    }

    /** Returns the path as the dispatcher reads it: decoded, below the context path. */
    static String pathOf(HttpServletRequest request) {
        return request.getPathInfo() == null
                ? request.getServletPath()
                : request.getServletPath() + request.getPathInfo();
    }

    boolean isForExecutors(HttpServletRequest request) {
        return find(request).filter(route -> route.kind() == Kind.EXECUTOR).isPresent();
    }

    /** Asks the mapping that will dispatch the call, so that access check and dispatch cannot disagree. */
    private Optional<HandlerMethod> handlerOf(HttpServletRequest request) {
        try {
            if (!ServletRequestPathUtils.hasParsedRequestPath(request)) {
                ServletRequestPathUtils.parseAndCache(request);
            }
            HandlerExecutionChain chain = controllers.getHandler(request);
            return chain != null && chain.getHandler() instanceof HandlerMethod method
                    ? Optional.of(method)
                    : Optional.empty();
        } catch (Exception e) {
            // No route accepts the method or media type. The dispatcher fails the same way and responds with the
            // reason.
            return Optional.empty();
        }
    }

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends Authentication> authentication, RequestAuthorizationContext context) {
        return new AuthorizationDecision(find(context.getRequest())
                .map(route -> mayCall(route, callerOf(authentication.get())))
                .orElseGet(() -> callerOf(authentication.get()).isPresent()));
    }

    /** Requires a caller with at least {@code role}; for paths that no controller of Orth handles. */
    static AuthorizationManager<RequestAuthorizationContext> atLeast(Role role) {
        return (authentication, context) -> new AuthorizationDecision(callerOf(authentication.get())
                .filter(caller -> caller.role().isAtLeast(role))
                .isPresent());
    }

    private static boolean mayCall(Route route, Optional<Principal> caller) {
        return switch (route.kind()) {
            case PUBLIC -> true;
            case EXECUTOR -> false;
            case ROLE ->
                caller.filter(known -> known.role().isAtLeast(route.role())).isPresent();
        };
    }

    /** Returns the caller of the request that this thread handles. */
    static Optional<Principal> caller() {
        return callerOf(SecurityContextHolder.getContext().getAuthentication());
    }

    private static Optional<Principal> callerOf(Authentication authentication) {
        return authentication != null && authentication.getPrincipal() instanceof Principal caller
                ? Optional.of(caller)
                : Optional.empty();
    }
}
