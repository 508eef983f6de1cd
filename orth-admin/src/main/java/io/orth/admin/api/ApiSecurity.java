package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.security.AnonymousCalls;
import io.orth.admin.security.ApiTokens;
import io.orth.admin.security.AuditLog;
import io.orth.admin.security.BodyWaits;
import io.orth.admin.security.BodyWaits.Caller;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import io.orth.admin.security.SecurityProperties;
import io.orth.admin.security.Sessions;
import jakarta.servlet.DispatcherType;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.session.DisableEncodeUrlFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Security filter chains. Calls of executors go to their controllers, which check the group's token. All other calls pass, in this order,
 * through the login, the audit, the limits of query and body, the forgery checks and the route's access rule. Calls without a rule are
 * denied.
 */
@Configuration(proxyBeanMethods = false)
class ApiSecurity {

    private static final String CONTENT_SECURITY_POLICY = String.join(
            "; ",
            "default-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "object-src 'none'");

    private final SecurityProperties settings;
    private final RequestThreads threads;
    private final BodyWaits waits;
    private final Ticker ticker;
    private final ProblemWriter problems;

    ApiSecurity(
            SecurityProperties settings,
            RequestThreads threads,
            BodyWaits waits,
            Ticker ticker,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver handlerExceptionResolver) {
        this.settings = settings;
        this.threads = threads;
        this.waits = waits;
        this.ticker = ticker;
        this.problems = new ProblemWriter(handlerExceptionResolver);
    }

    @Bean
    static AccessRules accessRules(
            @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping controllers) {
        return new AccessRules(controllers);
    }

    @Bean
    @Order(1)
    SecurityFilterChain executorCalls(HttpSecurity http, AccessRules rules) {
        stateless(http, threads.executors())
                .securityMatcher(rules::isForExecutors)
                .csrf(AbstractHttpConfigurer::disable)
                .addFilterBefore(new QueryFilter(problems), CsrfFilter.class)
                .addFilterBefore(bodyLimit(this::limitsOfExecutors), CsrfFilter.class)
                .authorizeHttpRequests(calls -> calls.anyRequest().permitAll());
        return http.build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain userCalls(
            HttpSecurity http,
            AccessRules rules,
            Sessions sessions,
            ApiTokens tokens,
            AuditLog audit,
            AnonymousCalls anonymousCalls,
            SessionCookie cookie) {
        stateless(http, threads.others())
                .csrf(this::csrfOfSessions)
                .addFilterBefore(new LoginFilter(sessions, tokens, cookie, problems), CsrfFilter.class)
                .addFilterBefore(new AuditFilter(audit, anonymousCalls, rules, problems), CsrfFilter.class)
                .addFilterBefore(new QueryFilter(problems), CsrfFilter.class)
                .addFilterBefore(bodyLimit(this::limitsOfUsers), CsrfFilter.class)
                .addFilterBefore(new ForgeryFilter(settings, problems), CsrfFilter.class)
                .authorizeHttpRequests(calls -> calls.dispatcherTypeMatchers(
                                DispatcherType.FORWARD, DispatcherType.ERROR, DispatcherType.ASYNC)
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/actuator/health/**")
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/actuator/prometheus", "/v3/api-docs/**", "/v3/api-docs.yaml")
                        .access(AccessRules.atLeast(Role.VIEWER))
                        .requestMatchers("/actuator/**", "/v3/**")
                        .denyAll()
                        .requestMatchers(AccessRules.API)
                        .access(rules)
                        .requestMatchers("/error")
                        .access(rules)
                        .requestMatchers(ConsoleFiles::owns)
                        .permitAll()
                        .anyRequest()
                        .denyAll());
        return http.build();
    }

    private BodyLimitFilter bodyLimit(Supplier<BodyLimitFilter.Limits> limits) {
        return new BodyLimitFilter(limits, waits, ticker, problems);
    }

    /** Executors' controllers check the token before they read the body, so only executors reach these limits. */
    private BodyLimitFilter.Limits limitsOfExecutors() {
        return new BodyLimitFilter.Limits(Caller.EXECUTOR, settings.maxExecutorBody(), settings.bodyTimeout());
    }

    private BodyLimitFilter.Limits limitsOfUsers() {
        return AccessRules.caller().isPresent()
                ? new BodyLimitFilter.Limits(Caller.USER, settings.maxBody(), settings.bodyTimeout())
                : new BodyLimitFilter.Limits(
                        Caller.ANONYMOUS, settings.maxAnonymousBodySize(), settings.anonymousBodyTimeout());
    }

    private HttpSecurity stateless(HttpSecurity http, RequestThreads.Share share) {
        return http.addFilterBefore(new RequestThreadsFilter(share, problems), DisableEncodeUrlFilter.class)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .headers(ApiSecurity::headers)
                .exceptionHandling(refusals ->
                        refusals.authenticationEntryPoint(problems::write).accessDeniedHandler(problems::write));
    }

    /** Requires a CSRF token for calls with a session only: without a cookie there is nothing that a foreign page could misuse. */
    private void csrfOfSessions(CsrfConfigurer<HttpSecurity> csrf) {
        CookieCsrfTokenRepository tokens = CookieCsrfTokenRepository.withHttpOnlyFalse();
        tokens.setCookiePath("/");
        tokens.setCookieCustomizer(cookie -> {
            cookie.sameSite("Strict");
            if (settings.secureCookies()) {
                cookie.secure(true);
            }
        });
        csrf.spa()
                .csrfTokenRepository(tokens)
                .requireCsrfProtectionMatcher(
                        request -> ForgeryFilter.CHANGING.contains(request.getMethod()) && isBySession());
    }

    private static boolean isBySession() {
        return AccessRules.caller()
                .filter(caller -> caller.kind() == Principal.Kind.USER)
                .isPresent();
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(
                        policy -> policy.policy("camera=(), geolocation=(), microphone=(), payment=(), usb=()"));
    }

    /** Rejects malformed addresses and headers like any other invalid input. */
    @Bean
    RequestRejectedHandler requestRejectedHandler() {
        return (request, response, rejected) -> problems.write(
                request, response, OrthException.of(ErrorCode.INVALID_INPUT, "the address or a header is malformed"));
    }

    /** Logins are handled by {@link LoginFilter}. This bean keeps Spring Boot from creating a default user and password. */
    @Bean
    AuthenticationManager authenticationManager() {
        return authentication -> {
            throw new ProviderNotFoundException("logins go through the session API");
        };
    }
}
