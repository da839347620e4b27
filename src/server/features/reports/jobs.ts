import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { endReportNumbers, writeReportNumbers } from "./numbers.ts";
import { publishWaitingReports } from "./publishing.ts";
import { remindOfReports } from "./reminders.ts";

const steps = [endReportNumbers, writeReportNumbers, remindOfReports, publishWaitingReports];

/** Writes the reports that farms owe, reminds of them, and publishes those that nobody looked at in time. */
export const sweepReports = (deps: Deps): Promise<void> => forEachOnItsOwn(deps.log, steps, (step) => step(deps));
