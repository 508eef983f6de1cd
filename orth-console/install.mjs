// Installs the packages of the lock file, unless those of this very lock file are installed already.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const stamp = "node_modules/.orth-lock";
const wanted = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const installed = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";

if (installed !== wanted) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["ci", "--ignore-scripts", "--no-fund", "--no-audit"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  writeFileSync(stamp, wanted);
}
