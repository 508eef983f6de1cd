package io.orth.admin.alarm;

import java.io.IOException;
import java.util.Set;

/** A way to reach people. Called outside of transactions, from several threads, and for the same alarm again where it threw. */
interface AlarmTransport {

    Set<ChannelKind> kinds();

    /** Returns when the other side has taken it; what it throws is shown to those who look after the channel. */
    void send(ChannelSpec channel, AlarmMessage message) throws IOException, InterruptedException;
}
