import { checkCoverage, runMoneyChecks } from "#server/books/checks/invariants.ts";
import { raiseAlarms } from "#server/features/alarms/service.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { checkMails } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import { isUnavailable } from "#server/platform/errors.ts";
import type { Check } from "#server/platform/findings.ts";
import { sweepOrphans } from "./housekeeping.ts";

/**
 * The checks of `npm run check:money`: the books, and every stored file. Holds that ended while nothing ran, or before a
 * backup was restored, are no finding, so they are written down first.
 */
export async function checkBooksAndFiles(deps: Deps): Promise<Check[]> {
  await sweepHolds(deps);
  return [...(await runMoneyChecks(deps.db, deps.clock.now())), ...(await runFileChecks(deps, { isFull: true }))];
}

/** One line per check, and one per row that violates it. */
export function describeChecks(checks: readonly Check[]): { isOk: boolean; lines: string[] } {
  const lines = checks.flatMap(({ name, violations }) => [
    `${violations.length === 0 ? "ok  " : "FAIL"} ${name}`,
    ...violations.map((violation) => `     ${JSON.stringify(violation)}`),
  ]);
  return { isOk: checks.every(({ violations }) => violations.length === 0), lines };
}

/**
 * The hourly "check-money" job: the books, a sample of the files (all of them in a week) and the mails. A violation is
 * logged as an error every time, and mailed to the owners once.
 */
export async function checkItself(deps: Deps): Promise<void> {
  await sweepHolds(deps);
  const files = await checkFiles(deps);
  const books = [...(await runMoneyChecks(deps.db, deps.clock.now())), await checkCoverage(deps.db, deps.clock.now())];
  const checks = [...books, ...files.checks, await checkMails(deps)];
  for (const { name, violations } of checks) {
    if (violations.length > 0) {
      deps.log.error({ invariant: name, violations: violations.slice(0, 100) }, "self-check failed");
    }
  }
  await raiseAlarms(deps, checks, files);
}

/** A failure in reading files must not prevent the check of the books. An unreachable S3 server is no finding. */
async function checkFiles(
  deps: Pick<Deps, "clock" | "db" | "log" | "storage">,
): Promise<{ checks: Check[]; isComplete: boolean }> {
  try {
    // Leftovers of a crash are no finding, so they are removed first.
    await sweepOrphans(deps);
    return { checks: await runFileChecks(deps, { isFull: false }), isComplete: true };
  } catch (error) {
    deps.log.error({ err: error }, "the stored files can't be checked");
    if (isUnavailable(error)) return { checks: [], isComplete: false };
    const violations = [{ violation: "the stored files can't be checked", row: { error: String(error) } }];
    return { checks: [{ name: "The stored files can be checked", violations }], isComplete: false };
  }
}
