import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { english } from ".";
import { zh } from "./zh";
import { zhAdmin } from "./zhAdmin";
import { zhAfter } from "./zhAfter";
import { zhAlarms } from "./zhAlarms";
import { zhDead } from "./zhDead";
import { zhDeclared } from "./zhDeclared";
import { zhEvents } from "./zhEvents";
import { zhQueueAlerts } from "./zhQueueAlerts";
import { zhPipelineRuns } from "./zhPipelineRuns";
import { zhPipelines } from "./zhPipelines";
import { zhQueues } from "./zhQueues";
import { zhReports } from "./zhReports";
import { zhExecution } from "./zhExecution";
import { zhRouting } from "./zhRouting";
import { zhSchedules } from "./zhSchedules";
import { zhSystemLog } from "./zhSystemLog";
import { zhWork } from "./zhWork";

type Tree = { [key: string]: string | Tree };

/** The texts of a tree by their full names. */
function flatten(tree: Tree, prefix = "", into = new Map<string, string>()): Map<string, string> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") {
      into.set(prefix + key, value);
    } else {
      flatten(value, `${prefix}${key}.`, into);
    }
  }
  return into;
}

const en = flatten(english);
const chinese = flatten({ ...zh, ...zhWork, ...zhExecution, ...zhRouting, ...zhSchedules, ...zhAdmin, ...zhAfter, ...zhAlarms, ...zhDeclared, ...zhReports, ...zhEvents, ...zhSystemLog, ...zhQueues, ...zhQueueAlerts, ...zhDead, ...zhPipelines, ...zhPipelineRuns });
const placeholders = (text: string): string[] => [...text.matchAll(/\{\{[^}]+\}\}/g)].map((match) => match[0]).toSorted();

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("i18n/") && !file.endsWith(".test.ts"))
  .map((file) => readFileSync(`src/${file}`, "utf8"))
  .join("\n");

describe("texts", () => {
  it("exist in both languages under the same keys", () => {
    // Chinese has no singular.
    const needed = [...en.keys()].filter((key) => !key.endsWith("_one"));
    expect([...chinese.keys()].toSorted()).toEqual(needed.toSorted());
  });

  it("are never empty", () => {
    expect([...en, ...chinese].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("insert the same values in both languages", () => {
    const different = [...chinese].filter(([key, text]) => `${placeholders(text)}` !== `${placeholders(en.get(key) ?? "")}`);
    expect(different).toEqual([]);
  });

  it("are all used", () => {
    const unused = [...en.keys()].filter((key) => {
      const name = key.replace(/_(one|other)$/, "");
      const dynamic = `${name.slice(0, name.lastIndexOf("."))}.\${`;
      return !sources.includes(`"${name}"`) && !sources.includes(`\`${dynamic}`);
    });
    expect(unused).toEqual([]);
  });
});
