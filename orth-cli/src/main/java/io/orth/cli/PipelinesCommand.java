package io.orth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands for pipelines. */
@Command(name = "pipelines", description = "Pipelines and their runs.")
final class PipelinesCommand {

    private PipelinesCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new PipelinesCommand())
                .addSubcommand(new ListPipelines(session))
                .addSubcommand(new DefinePipeline(session))
                .addSubcommand(new SubmitRun(session))
                .addSubcommand(new ListRuns(session))
                .addSubcommand(new ShowRun(session))
                .addSubcommand(new ListTasks(session))
                .addSubcommand(new StuckTasks(session))
                .addSubcommand(new CancelRun(session))
                .addSubcommand(new RetryTasks(session))
                .addSubcommand(new SetRunResult(session))
                .addSubcommand(new Pause(session))
                .addSubcommand(new Resume(session))
                .addSubcommand(new PostMortem(session));
    }
}
