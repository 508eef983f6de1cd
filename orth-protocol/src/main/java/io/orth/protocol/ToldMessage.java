package io.orth.protocol;

import java.util.Map;

/** A message that writes its fields one by one. For messages sent by the hundreds, building a tree of each costs more than its text. */
interface ToldMessage extends WireMessage {

    void tell(FieldSink fields);

    @Override
    default Map<String, Object> toJson() {
        Fields fields = new Fields();
        tell(fields);
        return fields.toMap();
    }
}
