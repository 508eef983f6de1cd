import { canSign, type Channel, type ChannelDraft, type ChannelKind } from "../../api/alarms";

/** What the dialog holds. Empty target and secret mean: as they are. */
export type ChannelFields = {
  name: string;
  kind: ChannelKind;
  target?: string;
  secret?: string;
  template?: string;
  everyFailure: boolean;
  windowSeconds: number;
  everything: boolean;
  groupIds?: string[];
  jobIds?: string[];
  enabled: boolean;
};

export const newChannel: Partial<ChannelFields> = {
  kind: "MAIL",
  everyFailure: false,
  windowSeconds: 300,
  everything: true,
  groupIds: [],
  jobIds: [],
  enabled: true,
};

/** Mail addresses are shown and edited; of other targets there is only a masked form. */
export const fieldsOf = (channel: Channel): ChannelFields => ({
  name: channel.name,
  kind: channel.kind,
  ...(channel.kind === "MAIL" ? { target: channel.target } : {}),
  template: channel.template,
  everyFailure: channel.everyFailure,
  windowSeconds: channel.windowSeconds,
  everything: channel.watch.everything,
  groupIds: channel.watch.groupIds,
  jobIds: channel.watch.jobIds,
  enabled: channel.enabled,
});

const given = (text: string | undefined): string | undefined => (text === undefined || text.trim() === "" ? undefined : text.trim());

export function draftOf(fields: ChannelFields, version?: number): ChannelDraft {
  const target = given(fields.target);
  const secret = canSign[fields.kind] ? given(fields.secret) : undefined;
  return {
    name: fields.name.trim(),
    kind: fields.kind,
    ...(target === undefined ? {} : { target }),
    ...(secret === undefined ? {} : { secret }),
    template: fields.template ?? "",
    everyFailure: fields.everyFailure,
    windowSeconds: fields.windowSeconds ?? 300,
    watch: {
      everything: fields.everything,
      groupIds: fields.everything ? [] : (fields.groupIds ?? []),
      jobIds: fields.everything ? [] : (fields.jobIds ?? []),
    },
    enabled: fields.enabled,
    ...(version === undefined ? {} : { version }),
  };
}
