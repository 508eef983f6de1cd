import type { Messages } from "./messages";

/** Chinese texts of what follows a run. */
export const zhAfter: Messages["after"] = {
  after: {
    title: "运行之后",
    retries: "重试",
    retriesHint: "运行失败、超时或没有执行器接受时再尝试的次数。",
    noRetries: "不重试",
    retriesFact_other: "{{count}} 次，首次等待 {{backoff}}，之后翻倍，最长 {{longest}}",
    backoff: "首次等待（秒）",
    backoffHint: "每次重试翻倍。",
    longest: "最长等待（秒）",
    children: "成功后运行",
    childrenHint: "该任务每次成功都会各触发一次。",
    addChild: "添加任务",
    removeChild: "移除该任务",
    pass: "传入的参数",
    passName: { NONE: "任务自己的参数", FIXED: "固定参数", RESULT: "本任务的结果消息" },
    parents: "由以下任务的成功触发",
    deletedJob: "任务 {{id}}（已删除）",
    firedBy: "触发者",
    fired: "已触发",
    attempts: "尝试",
    attempt: "第 {{number}} 次尝试",
    attemptOf: "{{attempt}} / {{attempts}}",
    thisRun: "本次运行",
    waitsUntil: "等待至",
    late: "迟到的结果",
    lateFact: "代码 {{code}}，重试已发出之后：",
  },
};
