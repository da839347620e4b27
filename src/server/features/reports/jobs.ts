import type { Deps } from "#server/platform/deps.ts";
import { writeReportNumbers } from "./numbers.ts";
import { sweepUnsentPhotos } from "./photos.ts";
import { publishWaitingReports } from "./publishing.ts";
import { remindOfReports } from "./reminders.ts";

/** Writes the reports that farms owe, reminds of them, publishes those that nobody looked at in time, and removes photos of those that never came. */
export async function sweepReports(deps: Deps): Promise<void> {
  await writeReportNumbers(deps);
  await remindOfReports(deps);
  await publishWaitingReports(deps);
  await sweepUnsentPhotos(deps);
}
