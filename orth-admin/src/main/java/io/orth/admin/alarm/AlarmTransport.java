package io.orth.admin.alarm;

import java.io.IOException;

/** Delivery of alarms to one kind of channel. Called outside of transactions, concurrently, and again after a failed attempt. */
@FunctionalInterface
interface AlarmTransport {

    /** Returns when the receiver has accepted the message. Users see the message of an exception. */
    void send(ChannelSpec channel, AlarmMessage message) throws IOException, InterruptedException;
}
