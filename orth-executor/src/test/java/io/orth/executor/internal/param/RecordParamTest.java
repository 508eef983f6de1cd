package io.orth.executor.internal.param;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("must-executor")
class RecordParamTest {

    record Scalar(
            String text, boolean flag, byte small, short shorter, int number, long larger, float rough, double fine) {}

    record Boxed(Boolean flag, Integer number, Long larger, Double fine, BigDecimal exact, BigInteger huge) {}

    record Times(
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            YearMonth month,
            Duration duration,
            Period period,
            ZoneId zone) {}

    record Item(String name, Optional<Integer> count) {}

    record Order(
            UUID id,
            URI link,
            DayOfWeek day,
            List<Item> items,
            Set<DayOfWeek> days,
            Map<String, Item> byName,
            Item first) {}

    record Tree(String name, List<Tree> children) {}

    record Checked(int percent) {
        Checked {
            if (percent > 100) {
                throw new IllegalArgumentException("percent must be at most 100");
            }
        }
    }

    record Empty() {}

    record Holder<T>(T content) {}

    record Raw(List<?> items) {}

    record NumberedKeys(Map<Integer, String> byNumber) {}

    record HoldsGeneric(Holder<String> holder) {}

    record HoldsObject(Object anything) {}

    @Test
    void readsTextNumbersAndFlags() throws Exception {
        assertThat(read(Scalar.class, """
                        {"text": "a \\u00e9", "flag": true, "small": -128, "shorter": 32767, "number": 1,
                         "larger": 9223372036854775807, "rough": 1.5, "fine": 2}
                        """))
                .isEqualTo(new Scalar("a é", true, (byte) -128, (short) 32767, 1, Long.MAX_VALUE, 1.5f, 2.0));
        assertThat(read(Boxed.class, """
                        {"flag": false, "number": 1, "larger": 2, "fine": 0.5, "exact": 0.1,
                         "huge": 123456789012345678901234567890}
                        """))
                .isEqualTo(new Boxed(
                        false, 1, 2L, 0.5, new BigDecimal("0.1"), new BigInteger("123456789012345678901234567890")));
    }

    @Test
    void readsTimes() throws Exception {
        assertThat(read(Times.class, """
                        {"instant": "2030-01-31T12:00:00Z", "date": "2030-01-31", "time": "12:30",
                         "dateTime": "2030-01-31T12:30", "offset": "2030-01-31T12:30+01:00",
                         "zoned": "2030-01-31T12:30+01:00[Europe/Rome]", "month": "2030-01", "duration": "PT15M",
                         "period": "P1M", "zone": "Europe/Rome"}
                        """))
                .isEqualTo(new Times(
                        Instant.parse("2030-01-31T12:00:00Z"),
                        LocalDate.of(2030, 1, 31),
                        LocalTime.of(12, 30),
                        LocalDateTime.of(2030, 1, 31, 12, 30),
                        OffsetDateTime.parse("2030-01-31T12:30+01:00"),
                        ZonedDateTime.parse("2030-01-31T12:30+01:00[Europe/Rome]"),
                        YearMonth.of(2030, 1),
                        Duration.ofMinutes(15),
                        Period.ofMonths(1),
                        ZoneId.of("Europe/Rome")));
    }

    @Test
    void readsRecordsInRecordsListsSetsAndMaps() throws Exception {
        assertThat(read(Order.class, """
                        {"id": "00000000-0000-0001-0000-000000000002", "link": "https://a/b", "day": "MONDAY",
                         "items": [{"name": "a", "count": 3}, {"name": "b"}, null], "days": ["SUNDAY", "SUNDAY"],
                         "byName": {"c": {"name": "c", "count": null}}, "first": {"name": "f"}}
                        """))
                .isEqualTo(new Order(
                        new UUID(1, 2),
                        URI.create("https://a/b"),
                        DayOfWeek.MONDAY,
                        Arrays.asList(new Item("a", Optional.of(3)), new Item("b", Optional.empty()), null),
                        Set.of(DayOfWeek.SUNDAY),
                        Map.of("c", new Item("c", Optional.empty())),
                        new Item("f", Optional.empty())));
        assertThat(read(Tree.class, "{\"name\":\"a\",\"children\":[{\"name\":\"b\"}]}"))
                .isEqualTo(new Tree("a", List.of(new Tree("b", null))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\n", "{}"})
    void anEmptyParameterIsAnObjectWithoutFields(String param) throws Exception {
        assertThat(read(Empty.class, param)).isEqualTo(new Empty());
        assertThat(read(Item.class, param)).isEqualTo(new Item(null, Optional.empty()));
        assertThatThrownBy(() -> read(Checked.class, param))
                .isInstanceOf(ParamMismatchException.class)
                .hasMessage("the parameter does not fit Checked: 'percent' is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"items\": [{\"name\": \"a\"}, {\"name\": 5}]} | 'items[1].name' must be text, got 5",
                "{\"items\": [{\"count\": 1.5}]} | 'items[0].count' must be a whole number from",
                "{\"items\": {}} | 'items' must be a JSON array, got an object",
                "{\"items\": [[]]} | 'items[0]' must be a JSON object, got an array",
                "{\"byName\": {\"x\": {\"nmae\": \"a\"}}} | 'byName.x.nmae' is not a field of Item, which has [name, count]",
                "{\"byName\": 1} | 'byName' must be a JSON object, got 1",
                "{\"day\": \"monday\"} | 'day' must be one of MONDAY, TUESDAY",
                "{\"day\": 1} | 'day' must be one of MONDAY, TUESDAY",
                "{\"id\": \"x\"} | 'id' must be a UUID, got \"x\"",
                "{\"link\": \"a b\"} | 'link' must be an address such as https://host/path, got \"a b\"",
                "{\"frist\": {}} | 'frist' is not a field of Order",
                "[] | the parameter must be a JSON object, got an array",
                "5 | the parameter must be a JSON object, got 5",
                "null | the parameter must be a JSON object, got null",
                "{\"day\": } | not valid JSON: ",
                "{\"day\": null, \"day\": null} | not valid JSON: ",
                "hello | not valid JSON: ",
                "{} {} | not valid JSON: ",
                "{}, {} | not valid JSON: more than one value",
            })
    void namesTheMismatch(String param, String complaint) {
        assertThatThrownBy(() -> read(Order.class, param))
                .isInstanceOf(ParamMismatchException.class)
                .hasMessageStartingWith("the parameter does not fit Order: ")
                .hasMessageContaining(complaint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"number\": 2147483648}",
                "{\"number\": \"1\"}",
                "{\"number\": true}",
                "{\"larger\": 9223372036854775808}",
                "{\"fine\": 1e999}",
                "{\"fine\": \"NaN\"}",
                "{\"exact\": {}}",
                "{\"huge\": 0.5}",
                "{\"flag\": \"true\"}",
                "{\"flag\": 1}"
            })
    void guessesNothing(String param) {
        String field = param.substring(2, param.indexOf("\":"));

        assertThatThrownBy(() -> read(Boxed.class, param))
                .isInstanceOf(ParamMismatchException.class)
                .hasMessageContaining("'%s' must be ".formatted(field));
    }

    @Test
    void reportsRejectionByTheRecordItself() {
        assertThatThrownBy(() -> read(Checked.class, "{\"percent\": 101}"))
                .isInstanceOf(ParamMismatchException.class)
                .hasMessage(
                        "the parameter does not fit Checked: the parameter is refused by Checked: percent must be at"
                                + " most 100");
    }

    @Test
    void shortensLargeValuesAndRejectsDeepNesting() {
        assertThatThrownBy(() -> read(Item.class, "{\"count\": \"%s\"}".formatted("x".repeat(60_000))))
                .isInstanceOf(ParamMismatchException.class)
                .message()
                .hasSizeLessThan(250);
        assertThatThrownBy(() -> read(Item.class, "{\"%s\": 1}".formatted("x".repeat(900))))
                .isInstanceOf(ParamMismatchException.class)
                .message()
                .hasSizeLessThan(250);
        assertThatThrownBy(() -> read(Tree.class, "{\"children\":[".repeat(40) + "]}".repeat(40)))
                .isInstanceOf(ParamMismatchException.class)
                .hasMessageContaining("not valid JSON");
    }

    @ParameterizedTest
    @ValueSource(classes = {Raw.class, NumberedKeys.class, HoldsGeneric.class, HoldsObject.class})
    void rejectsRecordThatNoJsonFits(Class<?> type) {
        String component = type.getRecordComponents()[0].getName();

        assertThatThrownBy(() -> RecordParam.of(type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("%s.%s has the type ".formatted(type.getName(), component));
    }

    @ParameterizedTest
    @ValueSource(classes = {Holder.class, String.class})
    void takesOnlyPlainRecords(Class<?> type) {
        assertThatThrownBy(() -> RecordParam.of(type)).hasMessageContaining("is not a record without type parameters");
    }

    private static Object read(Class<?> type, String param) throws ParamMismatchException {
        return RecordParam.of(type).read(param);
    }
}
