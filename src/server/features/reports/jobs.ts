import { forEachOnItsOwn } from "#server/platform/async.ts";
import type { Deps } from "#server/platform/deps.ts";
import { endReportNumbers, writeReportNumbers } from "./numbers.ts";
import { sweepUnsentPhotos } from "./photos.ts";
import { publishWaitingReports } from "./publishing.ts";
import { remindOfReports } from "./reminders.ts";

const steps = [endReportNumbers, writeReportNumbers, remindOfReports, publishWaitingReports, sweepUnsentPhotos];

/**
 * Writes the reports that farms owe, reminds of them, publishes those that nobody looked at in time, and removes photos
 * of those that never came.
 */
export const sweepReports = (deps: Deps): Promise<void> => forEachOnItsOwn(deps.log, steps, (step) => step(deps));
