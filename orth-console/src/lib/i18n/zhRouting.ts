import type { Messages } from "./messages";

/** Chinese texts of where runs go. */
export const zhRouting: Messages["routing"] = {
  routing: {
    where: "在哪里运行",
    strategy: "路由策略",
    name: {
      ROUND: "轮询",
      RANDOM: "随机",
      FIRST: "第一个",
      LAST: "最后一个",
      CONSISTENT_HASH: "固定（一致性哈希）",
      LFU: "最不经常使用",
      LRU: "最近最久未使用",
      FAILOVER: "第一个正常的（故障转移）",
      BUSYOVER: "第一个空闲的（忙碌转移）",
      SHARDING_BROADCAST: "全部（分片广播）",
    },
    hint: {
      ROUND: "按任务轮流选择执行器，所有管理节点共同计数。",
      RANDOM: "任意执行器，机会均等。",
      FIRST: "按地址或下方顺序的第一个；未接受时尝试下一个。",
      LAST: "按地址或下方顺序的最后一个；未接受时尝试前一个。",
      CONSISTENT_HASH: "该任务的所有运行都在同一个在线执行器上；有执行器离开时，其他任务不受影响。",
      LFU: "今天接到该任务运行最少的执行器。",
      LRU: "最久没有接到该任务运行的执行器。",
      FAILOVER: "第一个心跳正常且近期可以连接的执行器。",
      BUSYOVER: "第一个没有该任务运行的执行器；都忙碌时等待一段时间，之后失败。",
      SHARDING_BROADCAST: "每个在线执行器各运行一次，并知道自己的序号和总数。",
    },
    addresses: "仅限这些执行器",
    addressesHint: "填写注册的地址，优先的在前。留空表示该组的所有执行器。",
    anywhere: "该组全部",
    shard: "分片",
    shardOf: "{{index}} / {{total}}",
    sending: "下发",
  },
};
