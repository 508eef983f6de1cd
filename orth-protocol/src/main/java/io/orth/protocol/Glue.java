package io.orth.protocol;

/**
 * Source text that travels with a trigger instead of naming a handler of the executor.
 *
 * @param type a {@link GlueType} by name, as text because peers may know other ones ({@code glueType} on the wire)
 * @param source null for {@link GlueType#BEAN} ({@code glueSource} on the wire)
 * @param updatedAt the version of the source: when it was last changed, in milliseconds ({@code glueUpdatetime} on the wire)
 */
public record Glue(String type, String source, long updatedAt) {

    /** No source: the trigger names a handler. */
    public static final Glue NONE = new Glue(GlueType.BEAN.name(), null, 0);

    static Glue from(JsonObject json) {
        return new Glue(json.text("glueType", NONE.type()), json.text("glueSource"), json.number("glueUpdatetime", 0));
    }
}
