package io.orth.spring;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.ScriptLanguage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How the application's executor is set up.
 *
 * @param enabled Whether this application runs an executor.
 * @param captureLogs Whether what a run logs through SLF4J goes to the run's log too; needs Logback.
 * @param group The executor group this executor belongs to, as the admin knows it. Required.
 * @param admins Addresses of the admins, tried in this order, such as http://orth:8080. Required.
 * @param accessToken The group's access token, sent to the admin and expected from it. Required.
 * @param host The local address to listen on; all if empty.
 * @param port The port to listen on; 0 takes any free port.
 * @param advertisedAddress Where the admin reaches this executor; derived from the way to the admin if empty.
 * @param logPath The directory for log files and unsent results; one executor per directory.
 * @param logRetentionDays For how many days log files are kept.
 * @param maxLogSize How large the log of one run may grow.
 * @param queueCapacity How many triggers may wait for one job; more are refused.
 * @param pollInterval How long a job's thread waits for a trigger before it counts an idle poll.
 * @param idlePolls A job's thread ends after more idle polls in a row than this.
 * @param interruptGrace How long a handler may go on after being interrupted before its thread is given up.
 * @param requestThreads How many requests of admins are served at once.
 * @param beatInterval How often the executor tells the admin that it is alive.
 * @param adminTimeout How long one request to an admin may take.
 * @param callbackRetryInterval The longest that undelivered results wait for the next try.
 * @param shutdownGrace How long accepted work may go on when the application stops.
 * @param scripts Scripts that triggers bring along.
 * @param glue Groovy that triggers bring along.
 */
@ConfigurationProperties(OrthExecutorProperties.PREFIX)
public record OrthExecutorProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean captureLogs,
        @DefaultValue("") String group,
        @DefaultValue List<String> admins,
        @DefaultValue("") String accessToken,
        @DefaultValue("") String host,
        @DefaultValue("0") int port,
        @DefaultValue("") String advertisedAddress,
        @DefaultValue("orth-executor") Path logPath,
        @DefaultValue("30") int logRetentionDays,
        @DefaultValue("256MB") DataSize maxLogSize,
        @DefaultValue("1000") int queueCapacity,
        @DefaultValue("3s") Duration pollInterval,
        @DefaultValue("30") int idlePolls,
        @DefaultValue("10s") Duration interruptGrace,
        @DefaultValue("200") int requestThreads,
        @DefaultValue("5s") Duration beatInterval,
        @DefaultValue("5s") Duration adminTimeout,
        @DefaultValue("30s") Duration callbackRetryInterval,
        @DefaultValue("30s") Duration shutdownGrace,
        @DefaultValue Scripts scripts,
        @DefaultValue Glue glue) {

    static final String PREFIX = "orth.executor";

    /**
     * Scripts that triggers bring along.
     *
     * @param enabled Whether scripts are run; they have the rights of this application.
     * @param shell The program that runs shell scripts.
     * @param python The program that runs Python scripts.
     * @param python2 The program that runs Python 2 scripts.
     * @param node The program that runs JavaScript.
     * @param php The program that runs PHP scripts.
     * @param powershell The program that runs PowerShell scripts.
     */
    public record Scripts(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("bash") String shell,
            @DefaultValue("python3") String python,
            @DefaultValue("python") String python2,
            @DefaultValue("node") String node,
            @DefaultValue("php") String php,
            @DefaultValue("pwsh") String powershell) {

        private void applyTo(ExecutorOptions.Builder options) {
            options.scriptsEnabled(enabled)
                    .interpreter(ScriptLanguage.SHELL, shell)
                    .interpreter(ScriptLanguage.PYTHON, python)
                    .interpreter(ScriptLanguage.PYTHON2, python2)
                    .interpreter(ScriptLanguage.NODE, node)
                    .interpreter(ScriptLanguage.PHP, php)
                    .interpreter(ScriptLanguage.POWERSHELL, powershell);
        }
    }

    /**
     * Groovy that triggers bring along.
     *
     * @param enabled Whether Groovy is run, inside this application; needs the module orth-glue-groovy.
     */
    public record Glue(@DefaultValue("false") boolean enabled) {}

    /** @throws InvalidExecutorPropertyException naming the key whose value cannot be used */
    ExecutorOptions toOptions() {
        try {
            ExecutorOptions.Builder options = ExecutorOptions.builder()
                    .group(group)
                    .accessToken(accessToken)
                    .port(port)
                    .logPath(logPath)
                    .logRetentionDays(logRetentionDays)
                    .maxLogBytes(maxLogSize.toBytes())
                    .queueCapacity(queueCapacity)
                    .pollInterval(pollInterval)
                    .idlePolls(idlePolls)
                    .interruptGrace(interruptGrace)
                    .requestThreads(requestThreads)
                    .beatInterval(beatInterval)
                    .adminTimeout(adminTimeout)
                    .callbackRetryInterval(callbackRetryInterval)
                    .shutdownGrace(shutdownGrace)
                    .glueEnabled(glue.enabled());
            scripts.applyTo(options);
            admins.forEach(options::admin);
            if (!host.isBlank()) {
                options.host(host);
            }
            if (!advertisedAddress.isBlank()) {
                options.advertisedAddress(advertisedAddress);
            }
            return options.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidExecutorPropertyException(e.getMessage());
        }
    }
}
