package io.orth.admin.alarm;

/** How a channel reaches people. */
public enum ChannelKind {
    /** To mail addresses. */
    MAIL,
    /** Orth's own JSON, posted to an address. */
    WEBHOOK,
    /** Slack's incoming webhooks, and whoever understands them. */
    SLACK,
    DINGTALK,
    FEISHU
}
