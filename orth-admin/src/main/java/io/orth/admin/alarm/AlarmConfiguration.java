package io.orth.admin.alarm;

import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty.Pass;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import io.orth.runtime.Threads;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires alarms and their background duties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AlarmProperties.class)
class AlarmConfiguration {

    private static final int SENDERS = 8;
    private static final int HTTP_THREADS = 2;
    private static final int QUEUE = 100;
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
    private static final int PRUNE_BATCH = 200;

    @Bean
    AlarmPost alarmPost(AlarmRepository alarms, Installation installation, Clock clock, AlarmProperties properties) {
        HttpClient http = HttpClient.newBuilder()
                .connectTimeout(properties.sendTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Threads.pool("alarm-http", HTTP_THREADS, QUEUE))
                .build();
        WebhookPolicy policy = new WebhookPolicy(properties.allowedNetworks(), InetAddress::getAllByName);
        AlarmTransport webhook = new WebhookTransport(http, policy, new WebhookBodies(clock), properties.sendTimeout());
        AlarmTransport mail = new MailTransport(properties.mail(), properties.sendTimeout());
        return new AlarmPost(
                alarms,
                (channel, message) -> (channel.kind() == ChannelKind.MAIL ? mail : webhook).send(channel, message),
                installation,
                clock,
                properties.consoleUrl());
    }

    @Bean
    PeriodicLoop alarmMonitorLoop(Loops loops, AlarmMonitor monitor, AlarmProperties properties) {
        return loops.add("alarm-monitor", LoopTiming.every(properties.checkEvery()), monitor);
    }

    @Bean
    FailedRuns failedRuns(@Qualifier("alarmMonitorLoop") PeriodicLoop alarmMonitorLoop) {
        return new FailedRuns(alarmMonitorLoop::wake);
    }

    @Bean
    PeriodicLoop alarmSenderLoop(
            Loops loops,
            AlarmRepository alarms,
            ChannelRepository channels,
            AlarmPost post,
            Transactions transactions,
            AlarmProperties properties,
            SystemLog log) {
        AlarmSender sender = new AlarmSender(
                alarms, channels, post, Threads.pool("alarm-sender", SENDERS, QUEUE), transactions, properties, log);
        return loops.add("alarm-sender", LoopTiming.every(properties.checkEvery()), sender);
    }

    @Bean
    PeriodicLoop alarmPrunerLoop(
            Loops loops, AlarmRepository alarms, Transactions transactions, Clock clock, AlarmProperties properties) {
        return loops.add(
                "alarm-pruner",
                LoopTiming.every(PRUNE_EVERY),
                () -> Pass.after(
                        transactions.call(() -> alarms.prune(clock.instant().minus(properties.keep()), PRUNE_BATCH)),
                        PRUNE_BATCH));
    }
}
