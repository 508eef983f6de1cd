package io.orth.protocol;

/**
 * Source text sent with a trigger instead of the name of a handler.
 *
 * @param type name of a {@link GlueType}, as text because peers may know other types ({@code glueType} on the wire)
 * @param source null for {@link GlueType#BEAN} ({@code glueSource} on the wire)
 * @param updatedAt version of the source: time of its last change, in milliseconds ({@code glueUpdatetime} on the wire)
 */
public record Glue(String type, String source, long updatedAt) {

    /** No source: the trigger names a handler. */
    public static final Glue NONE = new Glue(GlueType.BEAN.name(), null, 0);

    static Glue from(JsonObject json) {
        return new Glue(json.text("glueType", NONE.type()), json.text("glueSource"), json.number("glueUpdatetime", 0));
    }
}
