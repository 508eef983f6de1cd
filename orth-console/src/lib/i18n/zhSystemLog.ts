import type { Messages } from "./messages";

/** Chinese texts of the system log. */
export const zhSystemLog: Messages["systemLog"] = {
  logLevel: { INFO: "信息", WARN: "警告", ERROR: "错误" },
  systemLog: {
    title: "系统日志",
    archive: "系统日志：归档",
    toArchive: "搜索归档",
    toLive: "实时",
    at: "时间",
    level: "级别",
    message: "消息",
    worker: "执行器实例",
    queue: "队列",
    node: "调度节点",
    pause: "暂停",
    resume: "继续",
    states: { connecting: "连接中…", live: "实时", reconnecting: "重新连接中…", paused: "已暂停" },
    shown_other: "{{count, number}} 行",
    bounded: "最新 {{count, number}} 行",
    missed_other: "有 {{count, number}} 行因过快而未在此显示，可在归档中查看。",
    empty: "尚无日志",
    emptyHint: "调度节点的动作与遭遇会实时显示在这里：节点、执行器、失败与恢复的职责。",
    archiveEmpty: "尚无归档",
    soFar: "目前没有找到",
    soFarHint: "每次只搜索一定数量的行。点击“加载更多”继续搜索更早的日志。",
    ofWorker: "该执行器实例的所有日志",
    ofQueue: "该队列的所有日志",
  },
};
