import { get, path, post, put, remove, withQuery } from "./http";
import { mapPage, type Page, pageSize, toDate } from "./page";

export const channelKinds = ["MAIL", "WEBHOOK", "SLACK", "DINGTALK", "FEISHU"] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Which kinds can sign what they post. */
export const canSign: Record<ChannelKind, boolean> = { MAIL: false, WEBHOOK: true, SLACK: false, DINGTALK: true, FEISHU: true };

type Watch = { everything: boolean; groupIds: string[]; jobIds: string[] };

/** `target` is masked where it is an address that is posted to; `secret` says whether there is one. */
type ChannelWire = {
  id: string;
  name: string;
  kind: ChannelKind;
  target: string;
  secret: boolean;
  template: string | null;
  everyFailure: boolean;
  windowSeconds: number;
  watch: Watch;
  enabled: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type Channel = Omit<ChannelWire, "createdAt" | "updatedAt" | "template"> & { template: string };

/** What is left out of `target` and `secret` stays as it is. */
export type ChannelDraft = {
  name: string;
  kind: ChannelKind;
  target?: string;
  secret?: string;
  template: string;
  everyFailure: boolean;
  windowSeconds: number;
  watch: Watch;
  enabled: boolean;
  version?: number;
};

export const alarmStatuses = ["PENDING", "SENT", "FAILED"] as const;
export type AlarmStatus = (typeof alarmStatuses)[number];

/** A new status does not compile until it has a colour here. */
export const alarmColors: Record<AlarmStatus, "processing" | "success" | "error"> = { PENDING: "processing", SENT: "success", FAILED: "error" };

type AlarmWire = {
  id: string;
  channelId: string;
  channelName: string;
  status: AlarmStatus;
  createdAt: string;
  sendAt: string;
  endedAt: string | null;
  tries: number;
  runs: number;
  firstRun: string | null;
  /** Of queues. */
  notices: number;
  pipelineRunCount: number;
  samplePipelineRunId: string | null;
  error: string | null;
};

export type Alarm = Omit<AlarmWire, "createdAt" | "sendAt" | "endedAt"> & {
  createdAt: Date;
  sendAt: Date;
  endedAt: Date | null;
};

/** What is known of a failed run's alarm, by the number that the run has. */
export const alarmStates = { "-1": "taken", "0": "undecided", "1": "needless", "2": "sent", "3": "failed" } as const;
export type AlarmState = (typeof alarmStates)[keyof typeof alarmStates];

export const alarmStateOf = (status: number): AlarmState =>
  alarmStates[String(status) as keyof typeof alarmStates] ?? "undecided";

const toChannel = ({ createdAt, updatedAt, ...wire }: ChannelWire): Channel & { createdAt: Date; updatedAt: Date } => ({
  ...wire,
  template: wire.template ?? "",
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

const toAlarm = (wire: AlarmWire): Alarm => ({
  ...wire,
  createdAt: new Date(wire.createdAt),
  sendAt: new Date(wire.sendAt),
  endedAt: toDate(wire.endedAt),
});

export const alarmKeys = {
  all: ["alarms"] as const,
  channels: ["alarms", "channels"] as const,
  list: ["alarms", "list"] as const,
};

export const listChannels = async (signal?: AbortSignal): Promise<Channel[]> =>
  (await get<Page<ChannelWire>>("/api/alarms/channels", signal)).items.map(toChannel);

export const listAlarms = async (after: string | null, signal?: AbortSignal): Promise<Page<Alarm>> =>
  mapPage(await get<Page<AlarmWire>>(withQuery("/api/alarms", { limit: pageSize, after }), signal), toAlarm);

export const createChannel = (draft: ChannelDraft): Promise<unknown> => post("/api/alarms/channels", draft);

export const updateChannel = (id: string, draft: ChannelDraft): Promise<unknown> => put(path`/api/alarms/channels/${id}`, draft);

export const deleteChannel = (id: string): Promise<void> => remove(path`/api/alarms/channels/${id}`);

/** Null where the other side took it, else what went wrong. */
export const testChannel = async (id: string): Promise<string | null> =>
  (await post<{ sent: boolean; problem: string | null }>(path`/api/alarms/channels/${id}/test`)).problem;
