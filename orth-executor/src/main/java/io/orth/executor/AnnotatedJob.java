package io.orth.executor;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Reads the job declaration, if any, from an {@link OrthJob} annotation. */
final class AnnotatedJob {

    private static final String NONE = "-";

    private final OrthJob said;
    private final String owner;
    private final UnaryOperator<String> texts;

    /** @param texts resolves the annotation's texts, for example their placeholders */
    AnnotatedJob(OrthJob said, String owner, UnaryOperator<String> texts) {
        this.said = said;
        this.owner = owner;
        this.texts = texts;
    }

    Optional<JobDeclaration> declaration() {
        if (Stream.of(said.job(), said.cron(), said.fixedRate(), said.fixedDelay())
                .allMatch(String::isEmpty)) {
            if (saysMore()) {
                throw new IllegalArgumentException(
                        "%s: only a job that is declared has more; set cron, fixedRate, fixedDelay or job"
                                .formatted(owner));
            }
            return Optional.empty();
        }
        String job = said.job().isEmpty() ? NONE : texts.apply(said.job());
        JobDeclaration.Builder declared = JobDeclaration.of(job.equals(NONE) ? said.value() : job, owner)
                .handler(said.value())
                .param(texts.apply(said.param()))
                .misfire(said.misfire())
                .block(said.block())
                .blockScope(said.blockScope())
                .concurrency(said.concurrency())
                .route(said.route())
                .maxAttempts(said.maxAttempts());
        given("cron", said.cron(), declared::cron);
        if (!isSwitchedOff(said.cron())) {
            given("zone", said.zone(), declared::zone);
        }
        duration("fixedRate", said.fixedRate(), declared::fixedRate);
        duration("fixedDelay", said.fixedDelay(), declared::fixedDelay);
        duration("timeout", said.timeout(), declared::timeout);
        duration("backoff", said.backoff(), declared::backoff);
        return Optional.of(declared.build());
    }

    private boolean saysMore() {
        return Stream.of(said.zone(), said.param(), said.timeout(), said.backoff())
                        .anyMatch(text -> !text.isEmpty())
                || said.misfire() != MisfirePolicy.FIRE_ONCE
                || said.block() != BlockStrategy.SERIAL
                || said.blockScope() != BlockScope.EXECUTOR
                || said.concurrency() != 1
                || said.route() != RouteStrategy.ROUND
                || said.maxAttempts() != 1;
    }

    private void duration(String field, String written, Consumer<Duration> taker) {
        given(field, written, text -> {
            try {
                taker.accept(DurationText.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("%s: %s %s".formatted(owner, field, e.getMessage()), e);
            }
        });
    }

    private void given(String field, String written, Consumer<String> taker) {
        if (written.isEmpty()) {
            return;
        }
        String text = texts.apply(written);
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException(
                    "%s: %s '%s' is blank; %s stands for none".formatted(owner, field, written, NONE));
        }
        if (!text.strip().equals(NONE)) {
            taker.accept(text);
        }
    }

    private boolean isSwitchedOff(String written) {
        return !written.isEmpty() && texts.apply(written).strip().equals(NONE);
    }
}
