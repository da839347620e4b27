import type { Deps } from "#server/core/deps.ts";
import { deleteStoredFile, keepHouse } from "#server/core/housekeeping.ts";
import type { JobHandlers } from "#server/core/jobs.ts";
import { sendQueuedMail } from "#server/core/outbox.ts";
import { mailAccountLink } from "#server/features/auth/jobs.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { checkItself } from "#server/self-check.ts";

/** What each kind of job does. */
export function jobHandlers(deps: Deps): JobHandlers {
  return {
    "account-link": (link) => mailAccountLink(deps, link),
    mail: ({ mailId }) => sendQueuedMail(deps, mailId),
    "close-expired-projects": () => closeExpiredProjects(deps),
    "check-money": () => checkItself(deps),
    "delete-file": ({ fileId }) => deleteStoredFile(deps, fileId),
    "keep-house": () => keepHouse(deps),
  };
}
