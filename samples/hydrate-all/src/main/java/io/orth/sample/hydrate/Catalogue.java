package io.orth.sample.hydrate;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The subjects and courses there are to write about. */
record Catalogue(List<Course> courses) {

    record Course(String subject, String id, String title) {}

    Catalogue {
        courses = List.copyOf(courses);
    }

    /** The small one that comes along. */
    static Catalogue builtIn() {
        try (InputStream in = Catalogue.class.getResourceAsStream("/catalogue.json")) {
            return read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Catalogue at(Path file) {
        try {
            return read(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the catalogue %s cannot be read: %s".formatted(file, e), e);
        }
    }

    private static Catalogue read(byte[] json) {
        return new Catalogue(Json.readObject(json).objects("subjects").stream()
                .flatMap(subject ->
                        subject.objects("courses").stream().map(course -> courseOf(subject.requiredText("id"), course)))
                .toList());
    }

    private static Course courseOf(String subject, JsonObject course) {
        return new Course(subject, course.requiredText("id"), course.requiredText("title"));
    }

    /** Those that a task of the first stage is about; none if there is no such target. */
    List<Course> of(String targetType, String targetId) {
        return switch (targetType) {
            case "course" ->
                courses.stream().filter(course -> course.id().equals(targetId)).toList();
            case "subject" ->
                courses.stream()
                        .filter(course -> course.subject().equals(targetId))
                        .toList();
            // What a run without targets begins with.
            case "scope" -> courses;
            default -> List.of();
        };
    }
}
