package io.orth.client;

/** Operations on the whole installation. A copied database starts paused, and an administrator resumes it. */
public final class OrthInstallation {

    private final Admins admins;

    OrthInstallation(Admins admins) {
        this.admins = admins;
    }

    public InstallationInfo get() {
        return Answers.read(
                admins.call(AdminCall.get("/api/system")),
                json -> InstallationInfo.of(json.object("installation").orElseThrow()));
    }

    /** Resumes schedules and dispatching; changes nothing if the installation is not paused. */
    public InstallationInfo resume() {
        return Answers.read(admins.call(AdminCall.put("/api/installation/resume")), InstallationInfo::of);
    }
}
