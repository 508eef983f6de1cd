import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const admin = join(import.meta.dirname, "..", "..", "orth-admin");
const classpath = join(admin, "target", "test.classpath");

/** The MariaDB is one of the admin's tests; a build without tests has none. */
export const canStart = existsSync(classpath) && existsSync(join(admin, "target", "test-classes"));

export type XxlJob = { port: string; stop: () => void };

/** Starts a MariaDB with a small XXL-JOB installation whose group has this app name. */
export async function startXxlJob(appName: string): Promise<XxlJob> {
  const path = [join(admin, "target", "test-classes"), join(admin, "target", "classes"), readFileSync(classpath, "utf8")].join(delimiter);
  const java = process.env.JAVA_HOME === undefined ? "java" : join(process.env.JAVA_HOME, "bin", "java");
  const program = spawn(java, ["-XX:TieredStopAtLevel=1", "-cp", path, "io.orth.admin.xxlimport.XxlJobSample", appName], {
    cwd: admin,
    stdio: ["pipe", "pipe", "inherit"],
  });
  return { port: await portOf(program), stop: () => program.stdin?.end() };
}

function portOf(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    program.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const port = /^port (\d+)$/mu.exec(said)?.[1];
      if (port !== undefined) {
        resolve(port);
      }
    });
    program.once("exit", (code) => reject(new Error(`MariaDB ended with ${code}: ${said}`)));
  });
}
