import type { Deps } from "#server/core/deps.ts";
import { deleteStoredFile, keepHouse } from "#server/core/housekeeping.ts";
import type { JobHandlers } from "#server/core/jobs.ts";
import { sendQueuedMail } from "#server/core/outbox.ts";
import { mailAccountLink } from "#server/features/auth/jobs.ts";
import { reportMoneyViolations } from "#server/features/payments/jobs.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";

/** What each kind of job does. */
export function jobHandlers(deps: Deps): JobHandlers {
  return {
    "account-link": (link) => mailAccountLink(deps, link),
    mail: ({ mailId }) => sendQueuedMail(deps, mailId),
    "close-expired-projects": () => closeExpiredProjects(deps),
    "check-money": () => reportMoneyViolations(deps),
    "delete-file": ({ fileId }) => deleteStoredFile(deps, fileId),
    "keep-house": () => keepHouse(deps),
  };
}
