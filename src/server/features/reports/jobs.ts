import type { Deps } from "#server/platform/deps.ts";
import { writeReportNumbers } from "./numbers.ts";
import { publishWaitingReports } from "./publishing.ts";
import { remindOfReports } from "./reminders.ts";

/** Writes the reports that farms owe, reminds of them, and publishes those that nobody looked at in time. */
export async function sweepReports(deps: Deps): Promise<void> {
  await writeReportNumbers(deps);
  await remindOfReports(deps);
  await publishWaitingReports(deps);
}
