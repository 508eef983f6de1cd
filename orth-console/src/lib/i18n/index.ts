import { createInstance } from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en";
import { enAdmin } from "./enAdmin";
import { enAfter } from "./enAfter";
import { enAlarms } from "./enAlarms";
import { enDead } from "./enDead";
import { enDeclared } from "./enDeclared";
import { enEvents } from "./enEvents";
import { enExecution } from "./enExecution";
import { enQueueAlerts } from "./enQueueAlerts";
import { enPipelineRuns } from "./enPipelineRuns";
import { enPipelines } from "./enPipelines";
import { enQueues } from "./enQueues";
import { enReports } from "./enReports";
import { enRouting } from "./enRouting";
import { enSchedules } from "./enSchedules";
import { enSystemLog } from "./enSystemLog";
import { enWork } from "./enWork";

export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** Each language under its own name, as people look for it. */
export const languageNames: Record<Language, string> = { en: "English", zh: "中文" };

export const english = { ...en, ...enWork, ...enExecution, ...enRouting, ...enSchedules, ...enAdmin, ...enAfter, ...enAlarms, ...enDeclared, ...enReports, ...enEvents, ...enSystemLog, ...enQueues, ...enQueueAlerts, ...enDead, ...enPipelines, ...enPipelineRuns };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof english };
  }
}

/** The one instance; components reach it through react-i18next. */
const i18n = createInstance();

async function texts(language: Language): Promise<Record<string, unknown>> {
  if (language === "en") {
    return english;
  }
  const [core, work, execution, routing, schedules, admin, after, alarms, declared, reports, events, systemLog, queues, queueAlerts, dead, pipelines, pipelineRuns] = await Promise.all([
    import("./zh"),
    import("./zhWork"),
    import("./zhExecution"),
    import("./zhRouting"),
    import("./zhSchedules"),
    import("./zhAdmin"),
    import("./zhAfter"),
    import("./zhAlarms"),
    import("./zhDeclared"),
    import("./zhReports"),
    import("./zhEvents"),
    import("./zhSystemLog"),
    import("./zhQueues"),
    import("./zhQueueAlerts"),
    import("./zhDead"),
    import("./zhPipelines"),
    import("./zhPipelineRuns"),
  ]);
  return {
    ...core.zh,
    ...work.zhWork,
    ...execution.zhExecution,
    ...routing.zhRouting,
    ...schedules.zhSchedules,
    ...admin.zhAdmin,
    ...after.zhAfter,
    ...alarms.zhAlarms,
    ...declared.zhDeclared,
    ...reports.zhReports,
    ...events.zhEvents,
    ...systemLog.zhSystemLog,
    ...queues.zhQueues,
    ...queueAlerts.zhQueueAlerts,
    ...dead.zhDead,
    ...pipelines.zhPipelines,
    ...pipelineRuns.zhPipelineRuns,
  };
}

/** Loads the texts of a language on first use and switches to it. */
export async function switchLanguage(language: Language): Promise<void> {
  if (!i18n.isInitialized) {
    await i18n.use(initReactI18next).init({
      lng: "en",
      fallbackLng: "en",
      resources: { en: { translation: english } },
      interpolation: { escapeValue: false },
    });
  }
  if (!i18n.hasResourceBundle(language, "translation")) {
    i18n.addResourceBundle(language, "translation", await texts(language));
  }
  await i18n.changeLanguage(language);
}
