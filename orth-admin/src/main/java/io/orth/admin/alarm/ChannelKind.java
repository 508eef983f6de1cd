package io.orth.admin.alarm;

/** Type of a channel. */
public enum ChannelKind {
    /** Mail to one or more addresses. */
    MAIL,
    /** Orth's own JSON, posted to an address. */
    WEBHOOK,
    /** Slack incoming webhooks and services compatible with them. */
    SLACK,
    DINGTALK,
    FEISHU
}
