package io.orth.cli;

import picocli.CommandLine.Command;

/** Takes a paused installation live. */
@Command(
        name = "resume",
        description = "Resume a paused installation: schedules fire and work is sent. Requires the role admin.")
final class ResumeInstallation implements Runnable {

    private final Session session;

    ResumeInstallation(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> orth.installation().resume(),
                installation -> session.out().println(Plain.line(ShowInstallation.words(installation))));
    }
}
