package io.orth.postgres;

import java.util.Locale;

/** An operating system and processor for which there are PostgreSQL binaries. */
record Platform(String system, String processor) {

    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String osName, String osArch) {
        String system = system(osName.toLowerCase(Locale.ROOT));
        String processor = processor(osArch.toLowerCase(Locale.ROOT));
        if (system == null || processor == null) {
            throw new EmbeddedPostgresException(
                    "There is no embedded PostgreSQL for %s on %s; run Orth with your own PostgreSQL by --db-url."
                            .formatted(osName, osArch));
        }
        return new Platform(system, processor);
    }

    private static String system(String osName) {
        if (osName.startsWith("linux")) {
            return "linux";
        }
        return osName.startsWith("mac") ? "darwin" : null;
    }

    private static String processor(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> null;
        };
    }

    /** Returns the class path name of the binaries' archive. */
    String archive() {
        return "postgres-%s-%s.txz".formatted(system, processor);
    }

    @Override
    public String toString() {
        return system + "-" + processor;
    }
}
