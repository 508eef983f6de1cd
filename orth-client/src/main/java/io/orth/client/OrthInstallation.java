package io.orth.client;

/** The installation as a whole: a copied database starts paused and is resumed by an administrator. */
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

    /** Lets schedules fire and work be sent; changes nothing where the installation is live. */
    public InstallationInfo resume() {
        return Answers.read(admins.call(AdminCall.put("/api/installation/resume")), InstallationInfo::of);
    }
}
