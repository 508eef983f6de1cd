import type { ComponentType } from "react";
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { CrashPage } from "./CrashPage";
import { NotFoundPage } from "./NotFoundPage";
import { Shell } from "./Shell";

type PageModule = { default: ComponentType };

/** Every page is its own chunk. */
const page = (path: string, load: () => Promise<PageModule>): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
});

export const createRouter = () =>
  createBrowserRouter([
    {
      errorElement: <CrashPage />,
      hydrateFallbackElement: <div className="late" aria-busy="true" />,
      children: [
        page("/login", () => import("../features/auth/LoginPage")),
        page("/setup", () => import("../features/auth/SetupPage")),
        {
          element: <Shell />,
          children: [
            {
              errorElement: <CrashPage />,
              children: [
                { index: true, element: <Navigate to="/jobs" replace /> },
                page("/jobs", () => import("../features/jobs/JobsPage")),
                page("/jobs/new", () => import("../features/jobs/NewJobPage")),
                page("/jobs/xxl-job-import", () => import("../features/jobs/XxlImportPage")),
                page("/jobs/:id", () => import("../features/jobs/JobPage")),
                page("/jobs/:id/edit", () => import("../features/jobs/EditJobPage")),
                page("/runs", () => import("../features/runs/RunsPage")),
                page("/runs/:id", () => import("../features/runs/RunPage")),
                page("/queues", () => import("../features/queues/QueuesPage")),
                page("/queues/:name", () => import("../features/queues/QueuePage")),
                page("/queues/:name/messages/:id", () => import("../features/queues/MessagePage")),
                page("/queue-alerts", () => import("../features/queueAlerts/QueueAlertsPage")),
                page("/dead-letters", () => import("../features/deadLetters/DeadLettersPage")),
                page("/operations", () => import("../features/operations/OperationsPage")),
                page("/operations/:id", () => import("../features/operations/OperationPage")),
                page("/pipelines", () => import("../features/pipelines/PipelinesPage")),
                page("/new-pipeline", () => import("../features/pipelines/NewPipelinePage")),
                page("/pipelines/:name", () => import("../features/pipelines/PipelinePage")),
                page("/pipelines/:name/edit", () => import("../features/pipelines/EditPipelinePage")),
                page("/pipeline-runs", () => import("../features/pipelines/run/PipelineRunsPage")),
                page("/pipeline-runs/:id", () => import("../features/pipelines/run/PipelineRunPage")),
                page("/outbox", () => import("../features/pipelines/outbox/OutboxPage")),
                page("/executors", () => import("../features/executors/ExecutorsPage")),
                page("/events", () => import("../features/events/EventsPage")),
                page("/duties", () => import("../features/events/DutiesPage")),
                page("/system-log", () => import("../features/systemLog/SystemLogPage")),
                page("/system-log/archive", () => import("../features/systemLog/ArchivePage")),
                page("/reports", () => import("../features/reports/ReportsPage")),
                page("/alarms", () => import("../features/alarms/AlarmsPage")),
                page("/audit", () => import("../features/audit/AuditPage")),
                { path: "/settings", element: <Navigate to="/settings/users" replace /> },
                page("/settings/users", () => import("../features/settings/UsersPage")),
                page("/settings/tokens", () => import("../features/settings/TokensPage")),
                { path: "*", element: <NotFoundPage /> },
              ],
            },
          ],
        },
      ],
    },
  ]);
