package io.orth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands for the installation as a whole. */
@Command(name = "installation", description = "The installation, which starts paused on a copied database.")
final class InstallationCommand {

    private InstallationCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new InstallationCommand())
                .addSubcommand(new ShowInstallation(session))
                .addSubcommand(new ResumeInstallation(session));
    }
}
