import type { Messages } from "./messages";

/** Chinese texts of what follows a run, and of retries of all kinds. */
export const zhAfter: Messages["after"] = {
  retry: {
    maxAttempts: "最大尝试次数",
    none: "不重试",
    backoff: "退避",
    rule: "{{initialDelay}}，每次 × {{multiplier}}，最长 {{maxDelay}}",
    withJitter: "{{rule}}，± {{jitter}}",
    initialDelay: "首次重试延迟（秒）",
    multiplier: "倍数",
    maxDelay: "最长重试延迟（秒）",
    jitter: "抖动（0 到 1）",
    jitterHint: "延迟随机缩短或延长的比例。",
  },
  after: {
    title: "运行之后",
    maxAttemptsHint: "每次触发的尝试次数，含首次。失败、超时或没有执行器的运行会重试。",
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
