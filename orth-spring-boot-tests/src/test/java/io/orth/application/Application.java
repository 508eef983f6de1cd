package io.orth.application;

import io.orth.executor.OrthJob;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthStage;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.RunResult;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application with jobs and a web server. */
@SpringBootApplication
class Application {

    record Greeting(String name) {}

    @Component
    static class Jobs {

        private static final Logger log = LoggerFactory.getLogger(Jobs.class);

        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final Connection connection;

        Jobs(Connection connection) {
            this.connection = connection;
        }

        @OrthJob("greet")
        RunResult greet(Greeting greeting) {
            log.info("greeting {}", greeting.name());
            return RunResult.success("hello " + greeting.name());
        }

        @OrthStage(pipeline = "greetings", stage = "people", concurrency = 2, timeout = "${people.timeout:1m}")
        Greeting person(Greeting greeting, PipelineTaskContext task) {
            log.info("greeting {} of {}", greeting.name(), task.rootJobId());
            task.child("letter", greeting.name());
            return greeting;
        }

        @OrthJob("slow")
        RunResult slow(OrthJobContext context) throws Exception {
            begun.countDown();
            goOn.await();
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(context.param())).build();
            String answer = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
            return RunResult.success(answer + (connection.closed ? ", without its beans" : ", with its beans"));
        }
    }

    @Component("lazyJobs")
    @Lazy
    static class LazyJobs {

        @OrthJob("lazy")
        void run() {}
    }

    /** Goes away with the application. */
    @Component
    static class Connection implements DisposableBean {

        volatile boolean closed;

        @Override
        public void destroy() {
            closed = true;
        }
    }

    @RestController
    static class Alive {

        @GetMapping("/alive")
        String alive() {
            return "alive";
        }
    }
}
