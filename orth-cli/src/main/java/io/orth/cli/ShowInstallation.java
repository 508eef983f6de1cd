package io.orth.cli;

import io.orth.client.InstallationInfo;
import picocli.CommandLine.Command;

/** Shows whether the installation is live. */
@Command(name = "show", description = "Show the installation of the admin and whether it is paused.")
final class ShowInstallation implements Runnable {

    private final Session session;

    ShowInstallation(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> orth.installation().get(),
                installation -> session.out().println(Plain.line(words(installation))));
    }

    static String words(InstallationInfo installation) {
        String id = "Installation %s".formatted(installation.id());
        if (!installation.paused()) {
            return id + " is live.";
        }
        String reason = installation.copiedFromId() == null
                ? installation.pauseReason()
                : "%s, its database is a copy of that of installation %s, or was moved"
                        .formatted(installation.pauseReason(), installation.copiedFromId());
        return "%s is paused since %s: %s.".formatted(id, installation.pausedAt(), reason);
    }
}
