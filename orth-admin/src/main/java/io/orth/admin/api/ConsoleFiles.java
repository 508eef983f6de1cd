package io.orth.admin.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/** Handler of the console's files. Paths without a dot are console pages and get {@code index.html}. */
@Configuration(proxyBeanMethods = false)
class ConsoleFiles implements WebMvcConfigurer {

    private static final String FILES = "classpath:/static/";
    private static final String START = "index.html";
    private static final Set<String> NOT_THE_CONSOLES = Set.of("api", "v3", "actuator", "xxl-job-admin", "error");
    private static final Set<String> FILES_AT_THE_TOP =
            Set.of("/", "/" + START, "/favicon.ico", "/favicon.svg", "/robots.txt");

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/**")
                .addResourceLocations(FILES + "assets/")
                .setCacheControl(
                        CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable());
        registry.addResourceHandler("/**")
                .addResourceLocations(FILES)
                .setCacheControl(CacheControl.noCache())
                .resourceChain(true)
                .addResolver(new StartPage());
    }

    /** Returns whether a call is for the console: one of its files or pages. */
    static boolean owns(HttpServletRequest request) {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        return reads && (FILES_AT_THE_TOP.contains(path) || path.startsWith("/assets/") || isAddress(path));
    }

    private static boolean isAddress(String path) {
        String first = path.split("/", 3)[1];
        return path.indexOf('.') < 0 && !NOT_THE_CONSOLES.contains(first);
    }

    private static final class StartPage extends PathResourceResolver {

        @Override
        protected Resource getResource(String path, Resource location) throws IOException {
            Resource file = path.isEmpty() ? null : super.getResource(path, location);
            return file == null && isAddress("/" + path) ? super.getResource(START, location) : file;
        }
    }
}
