package io.orth.executor.internal.callback;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.protocol.WireFormatException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The file format of results: one per line, each with its own checksum and length, so that intact records can be identified
 * whatever was truncated or modified around them.
 *
 * <pre>
 *   5f3a90c1 0000005b {"logId":1001,…}
 *   CRC-32   length   result as JSON, both numbers in eight hexadecimal digits
 * </pre>
 *
 * The text of a result cannot be mistaken for a record: its quotes are escaped inside JSON, so it is not JSON itself.
 */
final class CallbackRecords {

    private static final int DIGITS = 8;
    private static final int HEADER = 2 * DIGITS + 2;

    /** A record found in the bytes, and its end. */
    private record Found(CallbackItem item, int end) {}

    private CallbackRecords() {}

    static byte[] write(List<CallbackItem> items) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (CallbackItem item : items) {
            byte[] json = Json.write(item);
            bytes.writeBytes("%08x %08x "
                    .formatted(crc(json, 0, json.length), json.length)
                    .getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(json);
            bytes.write('\n');
        }
        return bytes.toByteArray();
    }

    /** Returns all intact records; bytes between them are skipped. */
    static List<CallbackItem> read(byte[] bytes) {
        List<CallbackItem> items = new ArrayList<>();
        int at = 0;
        while (at + HEADER <= bytes.length) {
            Optional<Found> found = recordAt(bytes, at);
            found.ifPresent(some -> items.add(some.item()));
            at = found.isPresent() ? found.get().end() : at + 1;
        }
        return items;
    }

    private static Optional<Found> recordAt(byte[] bytes, int at) {
        if (bytes[at + DIGITS] != ' ' || bytes[at + HEADER - 1] != ' ') {
            return Optional.empty();
        }
        long crc = number(bytes, at);
        long length = number(bytes, at + DIGITS + 1);
        int begin = at + HEADER;
        if (crc < 0 || length < 0 || length > bytes.length - begin || crc != crc(bytes, begin, (int) length)) {
            return Optional.empty();
        }
        try {
            int end = begin + (int) length;
            return Optional.of(
                    new Found(CallbackItem.from(Json.readObject(Arrays.copyOfRange(bytes, begin, end))), end));
        } catch (WireFormatException e) {
            return Optional.empty();
        }
    }

    /** Parses eight hexadecimal digits; negative if they are invalid. */
    private static long number(byte[] bytes, int at) {
        long number = 0;
        for (int i = at; i < at + DIGITS; i++) {
            if (!HexFormat.isHexDigit(bytes[i])) {
                return -1;
            }
            number = number << 4 | HexFormat.fromHexDigit(bytes[i]);
        }
        return number;
    }

    private static long crc(byte[] bytes, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, length);
        return crc.getValue();
    }
}
