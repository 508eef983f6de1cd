package io.orth.admin.alarm;

import java.io.IOException;

/** Delivers alarms. Called outside of transactions, from several threads, and again for an alarm that could not be sent. */
@FunctionalInterface
interface AlarmTransport {

    /** Returns when the receiver has accepted the message; the message of an exception is shown to users. */
    void send(ChannelSpec channel, AlarmMessage message) throws IOException, InterruptedException;
}
