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
 * The settings of the application's executor.
 *
 * @param enabled Whether this application runs an executor.
 * @param captureLogs Whether SLF4J output of a run goes to the run's log, too; needs Logback.
 * @param group The executor group, as it is named in the admin. Required.
 * @param admins Addresses of the admins, tried in this order, such as http://orth:8080. Required.
 * @param accessToken The group's access token, sent to the admin and required of it. Required.
 * @param host The local address to listen on; all interfaces if empty.
 * @param port The port to listen on; 0 means any free port.
 * @param advertisedAddress The address at which admins reach this executor; derived from the route to the admin if empty.
 * @param logPath The directory for log files and unsent results; one executor per directory.
 * @param logRetentionDays Retention of log files, in days.
 * @param maxLogSize Maximum size of one run's log.
 * @param queueCapacity Maximum number of triggers that wait for one job; further ones are rejected.
 * @param pollInterval How long a job thread waits for a trigger before it counts an idle poll.
 * @param idlePolls Maximum number of consecutive idle polls, after which a job thread ends.
 * @param interruptGrace How long a handler may continue after an interrupt before its thread is abandoned.
 * @param requestThreads Maximum number of concurrent requests from admins.
 * @param beatInterval How often the executor sends a heartbeat.
 * @param adminTimeout Timeout of a request to an admin.
 * @param callbackRetryInterval Maximum delay between attempts to deliver unsent results.
 * @param shutdownGrace How long accepted work may continue when the application stops.
 * @param scripts Scripts that arrive with triggers.
 * @param glue Groovy source that arrives with triggers.
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
     * Settings for scripts that arrive with triggers.
     *
     * @param enabled Whether scripts may run; they have the privileges of this application.
     * @param shell The interpreter for shell scripts.
     * @param python The interpreter for Python scripts.
     * @param python2 The interpreter for Python 2 scripts.
     * @param node The interpreter for JavaScript.
     * @param php The interpreter for PHP scripts.
     * @param powershell The interpreter for PowerShell scripts.
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
     * Settings for Groovy source that arrives with triggers.
     *
     * @param enabled Whether Groovy may run inside this application; needs the module orth-glue-groovy.
     */
    public record Glue(@DefaultValue("false") boolean enabled) {}

    /** @throws InvalidExecutorPropertyException if a value is invalid; the message names its key */
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
