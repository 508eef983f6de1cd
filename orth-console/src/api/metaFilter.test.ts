import { describe, expect, it } from "vitest";
import { metaQuery } from "./metaFilter";

describe("a filter by meta @must-kernel", () => {
  it("is a query parameter for each pair", () => {
    expect(metaQuery("tenant=acme, env = prod ,formula=a=b")).toEqual({ "meta.tenant": "acme", "meta.env": "prod", "meta.formula": "a=b" });
  });

  it("leaves out what is no pair yet", () => {
    expect([undefined, "", "tenant", "tenant=", "=acme", ","].map(metaQuery)).toEqual([{}, {}, {}, {}, {}, {}]);
  });
});
