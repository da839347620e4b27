import { createHash } from "node:crypto";
import { and, inArray, isNull, notInArray } from "drizzle-orm";
import type { Deps } from "#server/core/deps.ts";
import type { Check } from "#server/core/findings.ts";
import { alarmEvents, queueMails } from "#server/core/outbox.ts";
import { listActiveOwners } from "#server/core/owners.ts";
import { inTransaction } from "#server/db/open.ts";
import { alarms } from "#server/db/schema/alarms.ts";
import { alarmMail } from "./emails.ts";

/** Of one check: a thousand rows tell an owner no more than a hundred. */
const MAX_OF_A_CHECK = 100;

/**
 * Keeps what a self-check found: a finding raises one alarm, of which every owner is mailed once, and stands until the
 * check no longer finds it. One that comes back later raises another. An incomplete check takes none back.
 */
export async function raiseAlarms(
  deps: Pick<Deps, "clock" | "db" | "env" | "jobs">,
  checks: readonly Check[],
  { isComplete }: { isComplete: boolean },
): Promise<void> {
  const found = new Map(
    checks.flatMap(({ name, violations }) =>
      violations.slice(0, MAX_OF_A_CHECK).map((finding) => [keyOf(name, finding), { name, finding }] as const),
    ),
  );
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    const keys = [...found.keys()];
    if (isComplete) {
      await tx
        .update(alarms)
        .set({ resolvedAt: now })
        .where(and(isNull(alarms.resolvedAt), keys.length > 0 ? notInArray(alarms.key, keys) : undefined));
    }
    const open = await tx
      .select({ key: alarms.key })
      .from(alarms)
      .where(and(isNull(alarms.resolvedAt), inArray(alarms.key, keys)));
    for (const { key } of open) found.delete(key);
    if (found.size === 0) return;
    const raised = await tx
      .insert(alarms)
      .values([...found].map(([key, alarm]) => ({ ...alarm, key, createdAt: now })))
      .returning({ id: alarms.id });
    const findings = [...found.values()].map(({ finding }) => finding);
    const { publicUrl } = deps.env;
    const mails = (await listActiveOwners(tx)).map(({ email, fullName }) => ({
      eventKey: `${alarmEvents}${raised[0]?.id}`,
      to: email,
      ...alarmMail({ fullName, publicUrl, findings, at: now }),
    }));
    await queueMails(tx, deps, mails, { isUrgent: true });
  });
}

function keyOf(name: string, finding: Check["violations"][number]): string {
  return createHash("sha256")
    .update(JSON.stringify([name, finding]))
    .digest("hex");
}
