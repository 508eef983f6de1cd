package io.orth.e2e;

import com.xxl.job.core.context.XxlJobHelper;
import com.xxl.job.core.executor.impl.XxlJobSimpleExecutor;
import com.xxl.job.core.handler.annotation.XxlJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A user's application with XXL-JOB's own executor, as it was before Orth. Compiled against the oldest version it is run with;
 * it uses only what all of them have.
 */
public final class XxlJobExecutor {

    /** The file whose appearance ends held runs. */
    static final String RELEASE = "release";

    private static final long LOOK_EVERY_MILLIS = 50;

    private XxlJobExecutor() {}

    /** Arguments: admin address, app name, port, directory. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[3]);
        XxlJobSimpleExecutor executor = new XxlJobSimpleExecutor();
        executor.setAdminAddresses(args[0]);
        executor.setAccessToken(System.getenv("XXL_JOB_ACCESS_TOKEN"));
        executor.setAppname(args[1]);
        executor.setIp("127.0.0.1");
        executor.setPort(Integer.parseInt(args[2]));
        executor.setLogPath(directory.resolve("logs").toString());
        executor.setLogRetentionDays(3);
        executor.setXxlJobBeanList(List.of(new Handlers(directory)));
        executor.start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::destroy));
        new CountDownLatch(1).await();
    }

    /** The application's handlers. */
    public static final class Handlers {

        private final Path directory;

        Handlers(Path directory) {
            this.directory = directory;
        }

        @XxlJob("greet")
        public void greet() {
            XxlJobHelper.log("hello {}", XxlJobHelper.getJobParam());
            XxlJobHelper.handleSuccess("greeted %s as shard %d of %d"
                    .formatted(XxlJobHelper.getJobParam(), XxlJobHelper.getShardIndex(), XxlJobHelper.getShardTotal()));
        }

        @XxlJob("fail")
        public void fail() {
            XxlJobHelper.handleFail("as it was told");
        }

        @XxlJob("count")
        public void count() {
            XxlJobHelper.handleSuccess("counted " + Integer.parseInt(XxlJobHelper.getJobParam()));
        }

        @XxlJob("held")
        public void held() throws Exception {
            XxlJobHelper.log("waiting to be released");
            XxlJobHelper.log("still waiting");
            while (!Files.exists(directory.resolve(RELEASE))) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
            XxlJobHelper.log("released");
        }

        @XxlJob("endless")
        public void endless() throws Exception {
            new CountDownLatch(1).await();
        }
    }
}
