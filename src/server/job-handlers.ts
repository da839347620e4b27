import { mailAccountLink } from "#server/accounts/send-links.ts";
import { writeHeads } from "#server/books/heads.ts";
import { remindOfStatements } from "#server/features/bank/jobs.ts";
import { matchSureLines } from "#server/features/bank/matching/match-sure-lines.ts";
import { notifyOfWaitingMoney } from "#server/features/dashboard/jobs.ts";
import { remindOfHarvests, sweepHarvests } from "#server/features/harvests/jobs.ts";
import { fillHolidays } from "#server/features/holidays/jobs.ts";
import { carryOutHolderChanges } from "#server/features/payments/holder-changes/jobs.ts";
import { remindOfReviews } from "#server/features/payments/review/jobs.ts";
import { remindOfPayouts } from "#server/features/payouts/jobs.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { closeExpiredProjects } from "#server/features/projects/jobs.ts";
import { sweepReports } from "#server/features/reports/jobs.ts";
import { notifyOfSavedSearches } from "#server/features/saved-searches/jobs.ts";
import { notifyOfTermsChanges } from "#server/features/site/consents/jobs.ts";
import { deleteStoredFile } from "#server/files/orphans.ts";
import { sendQueuedMail } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { JobHandlers } from "#server/platform/jobs.ts";
import { cleanUp } from "./housekeeping.ts";
import { checkItself } from "./self-check.ts";

/** The handler of each kind of job. */
export function jobHandlers(deps: Deps): JobHandlers {
  return {
    "account-link": (link) => mailAccountLink(deps, link),
    mail: ({ mailId }) => sendQueuedMail(deps, mailId),
    "security-mail": ({ mailId }) => sendQueuedMail(deps, mailId),
    "close-expired-projects": () => closeExpiredProjects(deps),
    "sweep-holds": () => sweepHolds(deps),
    "sweep-harvests": () => sweepHarvests(deps),
    "carry-out-holder-changes": () => carryOutHolderChanges(deps),
    "sweep-reports": () => sweepReports(deps),
    "match-sure-lines": () => matchSureLines(deps),
    "write-heads": () => writeHeads(deps),
    "check-money": () => checkItself(deps),
    "delete-file": ({ fileId }) => deleteStoredFile(deps, fileId),
    "remind-of-statements": () => remindOfStatements(deps),
    "remind-of-payouts": () => remindOfPayouts(deps),
    "remind-of-harvests": () => remindOfHarvests(deps),
    "tell-of-waiting-money": () => notifyOfWaitingMoney(deps),
    "tell-of-terms-changes": () => notifyOfTermsChanges(deps),
    "tell-of-saved-searches": () => notifyOfSavedSearches(deps),
    "remind-of-reviews": () => remindOfReviews(deps),
    "fill-holidays": () => fillHolidays(deps),
    "clean-up": () => cleanUp(deps),
  };
}
