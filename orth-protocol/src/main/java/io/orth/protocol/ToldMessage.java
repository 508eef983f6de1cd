package io.orth.protocol;

import java.util.Map;

/** A message that tells its fields one by one: where there are hundreds of them, a tree of each would cost more than its text. */
interface ToldMessage extends WireMessage {

    void tell(FieldSink fields);

    @Override
    default Map<String, Object> toJson() {
        Fields fields = new Fields();
        tell(fields);
        return fields.toMap();
    }
}
