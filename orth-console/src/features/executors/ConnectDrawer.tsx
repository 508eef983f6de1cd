import { EyeOutlined, ReloadOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Button, Drawer, Tabs } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Group, revealToken, rotateToken } from "../../api/groups";
import { CopyButton } from "../../ui/CopyButton";
import { Secret } from "../../ui/Secret";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { springBootHandler, springBootProperties, standaloneCommand, xxlJobProperties } from "./snippets";

type Props = { group: Group; open: boolean; onClose: () => void };

/** The token of a group and what to write to connect an executor with it. */
export function ConnectDrawer({ group, open, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      title={t("executors.connectTitle", { name: group.name })}
      size={560}
      destroyOnHidden
      closable={{ "aria-label": t("common.close") }}
    >
      <ConnectGuide group={group} />
    </Drawer>
  );
}

function ConnectGuide({ group }: { group: Group }) {
  const { t } = useTranslation();
  const report = useReport();
  const confirm = useConfirm();
  // Held here only: it is gone when the drawer closes.
  const [token, setToken] = useState<string | null>(null);
  const reveal = useMutation({ mutationFn: () => revealToken(group.id), onSuccess: setToken, onError: report.failed });
  const rotate = useMutation({
    mutationFn: () => rotateToken(group.id),
    onSuccess: (fresh) => {
      setToken(fresh);
      report.done(t("executors.rotated"));
    },
    onError: report.failed,
  });
  const confirmRotate = (): void =>
    confirm({
      title: t("executors.rotateTitle", { name: group.name }),
      hint: t("executors.rotateHint"),
      ok: t("executors.rotate"),
      act: () => rotate.mutateAsync(),
    });
  return (
    <>
      <h3>{t("executors.token")}</h3>
      <p className="muted">{t("executors.tokenHint")}</p>
      {token === null ? null : <Secret value={token} label={t("executors.tokenHidden", { name: group.name })} />}
      <div className="row-buttons">
        {token === null ? (
          <Button icon={<EyeOutlined />} loading={reveal.isPending} onClick={() => reveal.mutate()}>
            {t("executors.reveal")}
          </Button>
        ) : null}
        <Button icon={<ReloadOutlined />} danger loading={rotate.isPending} onClick={confirmRotate}>
          {t("executors.rotate")}
        </Button>
      </div>
      <Snippets group={group.name} token={token} />
    </>
  );
}

function Snippets({ group, token }: { group: string; token: string | null }) {
  const { t } = useTranslation();
  const target = { admin: window.location.origin, group, token: token ?? "<token>" };
  return (
    <Tabs
      items={[
        {
          key: "spring",
          label: t("executors.springBoot"),
          children: (
            <>
              <p>{t("executors.springHint")}</p>
              <Snippet name="application.properties" text={springBootProperties(target)} />
              <Snippet name="Java" text={springBootHandler} />
            </>
          ),
        },
        {
          key: "standalone",
          label: t("executors.standalone"),
          children: (
            <>
              <p>{t("executors.standaloneHint")}</p>
              <Snippet name="shell" text={standaloneCommand(target)} />
            </>
          ),
        },
        {
          key: "xxl-job",
          label: t("executors.xxlJob"),
          children: (
            <>
              <p>{t("executors.xxlJobHint")}</p>
              <Snippet name="application.properties" text={xxlJobProperties(target)} />
            </>
          ),
        },
      ]}
    />
  );
}

function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <figure className="snippet">
      <figcaption>
        <span className="muted">{name}</span>
        <CopyButton size="small" type="text" text={() => text} />
      </figcaption>
      {/* Long lines scroll, so the keyboard must reach them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
