import { raiseAlarms } from "#server/features/alarms/service.ts";
import { runMoneyChecks } from "#server/features/payments/checks.ts";
import { runFileChecks } from "#server/files/checks.ts";
import { checkMails } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import { isUnavailable } from "#server/platform/errors.ts";
import type { Check } from "#server/platform/findings.ts";
import { sweepOrphans } from "./housekeeping.ts";

/** What `npm run check:money` prints: the books, and every stored file. */
export async function checkBooksAndFiles(deps: Pick<Deps, "clock" | "db" | "storage">): Promise<Check[]> {
  return [...(await runMoneyChecks(deps.db)), ...(await runFileChecks(deps, { isFull: true }))];
}

/** A line for each rule, and one for each row that breaks it. */
export function describeChecks(checks: readonly Check[]): { isOk: boolean; lines: string[] } {
  const lines = checks.flatMap(({ name, violations }) => [
    `${violations.length === 0 ? "ok  " : "FAIL"} ${name}`,
    ...violations.map((violation) => `     ${JSON.stringify(violation)}`),
  ]);
  return { isOk: checks.every(({ violations }) => violations.length === 0), lines };
}

/**
 * The hourly "check-money" job: the books, a part of the files (all of them in a week) and the mails. What is wrong is
 * an error in the log every time, and told to the owners once.
 */
export async function checkItself(
  deps: Pick<Deps, "clock" | "db" | "env" | "jobs" | "log" | "storage">,
): Promise<void> {
  const files = await checkFiles(deps);
  const checks = [...(await runMoneyChecks(deps.db)), ...files.checks, await checkMails(deps)];
  for (const { name, violations } of checks) {
    if (violations.length > 0) {
      deps.log.error({ invariant: name, violations: violations.slice(0, 100) }, "self-check failed");
    }
  }
  await raiseAlarms(deps, checks, files);
}

/** Files that can't be looked at must not keep the books from being checked. An S3 server that is away is no finding. */
async function checkFiles(
  deps: Pick<Deps, "clock" | "db" | "log" | "storage">,
): Promise<{ checks: Check[]; isComplete: boolean }> {
  try {
    // What a crash left behind is no finding: it is only due.
    await sweepOrphans(deps);
    return { checks: await runFileChecks(deps, { isFull: false }), isComplete: true };
  } catch (error) {
    deps.log.error({ err: error }, "the stored files can't be checked");
    if (isUnavailable(error)) return { checks: [], isComplete: false };
    const violations = [{ violation: "the stored files can't be checked", row: { error: String(error) } }];
    return { checks: [{ name: "The stored files can be checked", violations }], isComplete: false };
  }
}
