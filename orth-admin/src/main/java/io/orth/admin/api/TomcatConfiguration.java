package io.orth.admin.api;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.security.BodyWaits;
import io.orth.admin.security.SecurityProperties;
import java.time.Duration;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Web server settings that no property can express. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

    @Bean
    RequestThreads requestThreads(TomcatServerProperties tomcat) {
        return new RequestThreads(tomcat.getThreads().getMax());
    }

    @Bean
    BodyWaits bodyWaits(TomcatServerProperties tomcat, Ticker ticker) {
        return new BodyWaits(tomcat.getThreads().getMax(), ticker);
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports(JsonMapper json) {
        return factory -> factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ProblemReportValve(json)));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> slowBodies(
            SecurityProperties settings, RequestThreads threads, BodyWaits waits, Ticker ticker) {
        return factory -> {
            factory.addEngineValves(
                    new UnreadBodyValve(threads.others(), waits, settings.anonymousBodyTimeout(), ticker));
            factory.addConnectorCustomizers(connector -> boundReads(connector, settings.anonymousBodyTimeout()));
        };
    }

    /**
     * Bounds the wait of a single read of a body. A client that sends {@code Expect: 100-continue} is asked for the body only when it is
     * read.
     */
    private static void boundReads(Connector connector, Duration silence) {
        if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
            http.setDisableUploadTimeout(false);
            http.setConnectionUploadTimeout(Math.toIntExact(silence.toMillis()));
            http.setContinueResponseTiming("onRead");
        }
    }
}
