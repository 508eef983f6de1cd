import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { logLevels, toLogLine } from "../../api/systemLog";
import { logLineWire } from "../../test/factories";
import { LevelTag, levelLook } from "./LevelTag";
import { rowClassOf } from "./lineColumns";

describe("a level", () => {
  it("has its word, its colour and its own icon, so that colour is not all", () => {
    render(logLevels.map((level) => <LevelTag key={level} level={level} />));
    expect(["Info", "Warning", "Error"].map((word) => screen.getByText(word).textContent)).toEqual(["Info", "Warning", "Error"]);
    expect(logLevels.map((level) => levelLook[level].color)).toEqual(["default", "warning", "error"]);
    expect(new Set(logLevels.map((level) => levelLook[level].Icon)).size).toBe(logLevels.length);
  });

  it("marks its row", () => {
    expect(rowClassOf(toLogLine(logLineWire({ level: "ERROR" })))).toBe("line-ERROR");
  });
});
