import { createHash } from "node:crypto";
import { and, isNull, notInArray } from "drizzle-orm";
import { mailOwners } from "#server/accounts/owners/mail-owners.ts";
import { inTransaction } from "#server/db/open.ts";
import { alarms } from "#server/db/schema/alarms.ts";
import { alarmEvents } from "#server/mail/outbox.ts";
import type { Deps } from "#server/platform/deps.ts";
import type { Check } from "#server/platform/findings.ts";
import { alarmMail } from "./emails.ts";

/** The limit of one check's alarms at a time: a thousand rows tell an owner no more than a hundred. */
const MAX_OF_A_CHECK = 100;

/**
 * Stores the findings of a self-check. A finding raises one alarm, mailed once to every owner, which stays open until
 * the check no longer finds it. A finding that returns later raises another. An incomplete check resolves no alarm.
 */
export async function raiseAlarms(
  deps: Pick<Deps, "clock" | "db" | "env" | "jobs" | "site">,
  checks: readonly Check[],
  { isComplete }: { isComplete: boolean },
): Promise<void> {
  const found = new Map(
    checks.flatMap(({ name, violations }) =>
      violations.map((finding) => [keyOf(name, finding), { name, finding }] as const),
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
    const open = await tx.select({ key: alarms.key, name: alarms.name }).from(alarms).where(isNull(alarms.resolvedAt));
    const fresh = checks.flatMap(({ name }) => {
      const standing = open.filter((alarm) => alarm.name === name);
      const isOpen = new Set(standing.map(({ key }) => key));
      return [...found]
        .filter(([key, alarm]) => alarm.name === name && !isOpen.has(key))
        .slice(0, Math.max(0, MAX_OF_A_CHECK - standing.length));
    });
    if (fresh.length === 0) return;
    const raised = await tx
      .insert(alarms)
      .values(fresh.map(([key, alarm]) => ({ ...alarm, key, createdAt: now })))
      .returning({ id: alarms.id });
    const findings = fresh.map(([, { finding }]) => finding);
    const site = deps.site.current();
    await mailOwners(tx, deps, {
      eventKey: `${alarmEvents}${raised[0]?.id}`,
      isUrgent: true,
      write: ({ fullName }) => alarmMail({ fullName, site, findings, at: now }),
    });
  });
}

function keyOf(name: string, finding: Check["violations"][number]): string {
  return createHash("sha256")
    .update(JSON.stringify([name, finding]))
    .digest("hex");
}
