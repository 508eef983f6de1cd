import type { Messages } from "./messages";

/** Chinese texts of jobs that code declares. */
export const zhDeclared: Messages["declared"] = {
  declared: {
    tag: { FOLLOWED: "代码", DIFFERS: "与代码不同", REFUSED: "被拒绝", WITHDRAWN: "代码中已无" },
    tagHint: {
      FOLLOWED: "在代码中声明，与代码一致并随代码变化。",
      DIFFERS: "在代码中声明，已在此处修改。",
      REFUSED: "代码当前的声明被拒绝。",
      WITHDRAWN: "代码不再声明该任务。",
    },
    origin: "来源",
    followed: "在代码中声明；在此处修改之前随代码变化",
    differs: "在代码中声明；以下字段不同：{{fields}}",
    differsHint: "该任务已在此处修改，新版本代码不会再改动它。采用声明可使其与代码一致并重新随代码变化。",
    withdrawn: "代码中不再声明",
    withdrawnHint: "任务照常运行。如不再需要，请暂停或删除。",
    refused: "代码中的声明被拒绝",
    refusedHint: "任务保持原样：{{problem}}",
    field: "字段",
    inCode: "代码中",
    here: "此处",
    take: "采用声明",
    takeSure: "使任务与代码一致？在此处对这些字段的修改将丢失。",
    taken: "“{{name}}”已与代码一致",
    inVain_other: "代码声明的 {{count}} 个任务被拒绝",
    deleteHint: "该任务在代码中声明；在代码的声明变化之前不会重新创建。",
    ofGroup: "{{group}} 的 {{name}}",
  },
};
