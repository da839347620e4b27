import type { Deps } from "#server/core/deps.ts";
import { runMoneyChecks } from "./checks.ts";

/** The hourly "check-money" job: every violated invariant is an error in the log, with the rows that break it. */
export async function reportMoneyViolations({ db, log }: Pick<Deps, "db" | "log">): Promise<void> {
  for (const { name, violations } of await runMoneyChecks(db)) {
    if (violations.length > 0)
      log.error({ invariant: name, violations: violations.slice(0, 100) }, "money check failed");
  }
}
