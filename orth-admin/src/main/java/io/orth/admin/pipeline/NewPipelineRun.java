package io.orth.admin.pipeline;

/** @param hash of what was asked for, to tell one submission from another under the same key */
record NewPipelineRun(long id, Pipeline pipeline, Submission submission, Long estimate, String hash) {}
