import type { Tx } from "#server/db/open.ts";
import { auditLogs } from "#server/db/schema/audit.ts";
import type { AuditAction } from "#shared/audit-log/sentences.ts";
import type { ActorContext, Context } from "./context.ts";

/**
 * Writes the audit entry inside the caller's transaction: if it fails, the change is undone.
 * `details` hold the values before and after, as plain JSON; never secrets. Of a keeper's act the entry also names the farm.
 * Returns the entry's id, which names the event that it records.
 */
export async function recordAudit(
  tx: Tx,
  by: Pick<Context, "clock"> &
    Pick<ActorContext, "keeperOf"> & {
      actor: { id: string; email: string } | null;
      ipAddress: string | null;
    },
  actionType: AuditAction,
  details: Record<string, unknown>,
): Promise<number> {
  const [entry] = await tx
    .insert(auditLogs)
    .values({
      actionType,
      userId: by.actor?.id ?? null,
      userEmail: by.actor?.email ?? null,
      details: by.keeperOf ? { ...details, keeperOf: by.keeperOf } : details,
      ipAddress: by.ipAddress,
      createdAt: by.clock.now(),
    })
    .returning({ id: auditLogs.id });
  if (!entry) throw new Error("the audit entry was not written");
  return entry.id;
}

/** The change for an audit entry: the columns that differ, before and after, as plain JSON. */
export function changesBetween(before: object, after: object): { before: Json; after: Json } {
  const [old, next] = [plain(before), plain(after)];
  const changed = Object.keys(next).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  const pick = (from: Json) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return { before: pick(old), after: pick(next) };
}

type Json = Record<string, unknown>;

/** Converts amounts to digits and dates to text. */
function plain(values: object): Json {
  return JSON.parse(JSON.stringify(values, (_name, value) => (typeof value === "bigint" ? value.toString() : value)));
}
