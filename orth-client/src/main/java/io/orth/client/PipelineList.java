package io.orth.client;

import io.orth.protocol.JsonObject;
import java.util.List;

/**
 * All pipelines by name.
 *
 * @param paused whether all pipelines are paused
 */
public record PipelineList(boolean paused, List<PipelineInfo> items) {

    public PipelineList {
        items = List.copyOf(items);
    }

    static PipelineList of(JsonObject json) {
        return new PipelineList(
                json.flag("paused"),
                json.objects("items").stream().map(PipelineInfo::of).toList());
    }
}
