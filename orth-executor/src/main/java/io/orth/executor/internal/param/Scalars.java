package io.orth.executor.internal.param;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The readers of values that are a single JSON string, number or boolean. */
final class Scalars {

    private static final Map<Class<?>, Reader> READERS = new HashMap<>();

    static {
        READERS.put(String.class, Scalars::text);
        READERS.put(boolean.class, Scalars::flag);
        READERS.put(byte.class, (path, value) -> (byte) whole(path, value, Byte.MIN_VALUE, Byte.MAX_VALUE));
        READERS.put(short.class, (path, value) -> (short) whole(path, value, Short.MIN_VALUE, Short.MAX_VALUE));
        READERS.put(int.class, (path, value) -> (int) whole(path, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
        READERS.put(long.class, (path, value) -> whole(path, value, Long.MIN_VALUE, Long.MAX_VALUE));
        READERS.put(float.class, (path, value) -> decimal(path, value).floatValue());
        READERS.put(double.class, (path, value) -> decimal(path, value).doubleValue());
        READERS.put(BigDecimal.class, Scalars::decimal);
        READERS.put(BigInteger.class, Scalars::bigWhole);
        parsed(Instant.class, Instant::parse, "an instant such as 2030-01-31T12:00:00Z");
        parsed(LocalDate.class, LocalDate::parse, "a date such as 2030-01-31");
        parsed(LocalTime.class, LocalTime::parse, "a time such as 12:00:00");
        parsed(LocalDateTime.class, LocalDateTime::parse, "a date and time such as 2030-01-31T12:00:00");
        parsed(OffsetDateTime.class, OffsetDateTime::parse, "a time with offset such as 2030-01-31T12:00:00+01:00");
        parsed(
                ZonedDateTime.class,
                ZonedDateTime::parse,
                "a time with zone such as 2030-01-31T12:00:00+01:00[Europe/Rome]");
        parsed(YearMonth.class, YearMonth::parse, "a month such as 2030-01");
        parsed(Duration.class, Duration::parse, "a duration such as PT15M");
        parsed(Period.class, Period::parse, "a period such as P1M");
        parsed(ZoneId.class, ZoneId::of, "a time zone such as Europe/Rome");
        parsed(UUID.class, UUID::fromString, "a UUID");
        parsed(URI.class, URI::create, "an address such as https://host/path");
        box(Boolean.class, boolean.class);
        box(Byte.class, byte.class);
        box(Short.class, short.class);
        box(Integer.class, int.class);
        box(Long.class, long.class);
        box(Float.class, float.class);
        box(Double.class, double.class);
    }

    private Scalars() {}

    static Optional<Reader> of(Class<?> type) {
        return type.isEnum() ? Optional.of(constantOf(type)) : Optional.ofNullable(READERS.get(type));
    }

    private static void box(Class<?> boxed, Class<?> primitive) {
        READERS.put(boxed, READERS.get(primitive));
    }

    private static <T> void parsed(Class<T> type, Function<String, T> parser, String expected) {
        READERS.put(type, (path, value) -> {
            if (!(value instanceof String text)) {
                throw ParamMismatchException.at(path, expected, value);
            }
            try {
                return parser.apply(text);
            } catch (DateTimeException | IllegalArgumentException e) {
                throw ParamMismatchException.at(path, expected, value);
            }
        });
    }

    private static Reader constantOf(Class<?> type) {
        Map<String, Object> byName = Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toMap(constant -> ((Enum<?>) constant).name(), Function.identity()));
        String expected = Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name())
                .collect(Collectors.joining(", ", "one of ", ""));
        return (path, value) -> {
            Object constant = value instanceof String name ? byName.get(name) : null;
            if (constant == null) {
                throw ParamMismatchException.at(path, expected, value);
            }
            return constant;
        };
    }

    private static Object text(String path, Object value) throws ParamMismatchException {
        if (value instanceof String text) {
            return text;
        }
        throw ParamMismatchException.at(path, "text", value);
    }

    private static Object flag(String path, Object value) throws ParamMismatchException {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw ParamMismatchException.at(path, "true or false", value);
    }

    private static long whole(String path, Object value, long least, long most) throws ParamMismatchException {
        boolean whole = value instanceof Integer || value instanceof Long;
        long number = whole ? ((Number) value).longValue() : 0;
        if (!whole || number < least || number > most) {
            throw ParamMismatchException.at(path, "a whole number from %d to %d".formatted(least, most), value);
        }
        return number;
    }

    private static BigInteger bigWhole(String path, Object value) throws ParamMismatchException {
        if (value instanceof BigInteger number) {
            return number;
        }
        if (value instanceof Integer || value instanceof Long) {
            return BigInteger.valueOf(((Number) value).longValue());
        }
        throw ParamMismatchException.at(path, "a whole number", value);
    }

    /** A number with a fraction arrives as a double; one that exceeds its range arrives as infinity. */
    private static BigDecimal decimal(String path, Object value) throws ParamMismatchException {
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return new BigDecimal(number.toString());
        }
        throw ParamMismatchException.at(path, "a number", value);
    }
}
