import { inArray } from "drizzle-orm";
import type { DbOrTx } from "#server/db/open.ts";
import type { auditLogs } from "#server/db/schema/audit.ts";
import { projectPayments } from "#server/db/schema/payments.ts";
import { projects } from "#server/db/schema/projects.ts";
import { users } from "#server/db/schema/users.ts";
import { personName } from "#server/platform/names.ts";
import type { AuditNames } from "#shared/audit-log/sentences.ts";

type Entry = Pick<typeof auditLogs.$inferSelect, "userId" | "details">;

/**
 * Adds the names of what entries hold the ids of: three reads for a page of them. A closed account has none, nor has what was
 * deleted.
 */
export async function withNames<OneEntry extends Entry>(db: DbOrTx, entries: readonly OneEntry[]) {
  const found = entries.map((entry) => ({ entry, subjects: subjectsOf(entry) }));
  const idsOf = <Id>(read: (subjects: Subjects) => (Id | null)[]): Id[] =>
    found.flatMap(({ subjects }) => read(subjects).flatMap((id) => id ?? []));
  const payments = await readPayments(
    db,
    idsOf(({ payment }) => [payment]),
  );
  const titles = await readTitles(
    db,
    idsOf(({ project }) => [project]),
  );
  const people = await readPeople(db, [
    ...idsOf(({ actor, person, asker }) => [actor, person, asker]),
    ...[...payments.values()].map(({ userId }) => userId),
  ]);
  return found.map(({ entry, subjects: { actor, person, asker, project, payment } }) => {
    const paid = payment === null ? undefined : payments.get(payment);
    const nameOf = (id: string | null | undefined) => (id ? (people.get(id) ?? null) : null);
    const names: AuditNames = {
      actor: nameOf(actor),
      person: nameOf(person ?? paid?.userId),
      asker: nameOf(asker),
      project: project === null ? null : (titles.get(project) ?? null),
      payment: paid ? { backer: nameOf(paid.userId), amountKobo: paid.amountKobo } : null,
    };
    return { ...entry, names };
  });
}

type Subjects = ReturnType<typeof subjectsOf>;

/** Details are whatever was written: an id of another form names nothing. */
function subjectsOf({ userId, details }: Entry) {
  const [match, ...others] = Array.isArray(details.matches) ? details.matches : [];
  return {
    actor: userId,
    person: uuidFrom(details.backerId) ?? uuidFrom(details.userId),
    asker: uuidFrom(details.requestedBy) ?? uuidFrom(details.madeBy),
    project: rowIdFrom(details.projectId),
    payment: rowIdFrom(details.paymentId) ?? (others.length === 0 ? rowIdFrom(match?.paymentId) : null),
  };
}

const uuidFrom = (value: unknown): string | null =>
  typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value) ? value : null;

/** At most what fits a column of projects' ids. */
const largestId = 2 ** 31 - 1;

const rowIdFrom = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= largestId ? value : null;

type Paid = Pick<typeof projectPayments.$inferSelect, "id" | "userId" | "amountKobo">;

async function readPayments(db: DbOrTx, ids: readonly number[]): Promise<Map<number, Paid>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: projectPayments.id, userId: projectPayments.userId, amountKobo: projectPayments.amountKobo })
    .from(projectPayments)
    .where(inArray(projectPayments.id, [...new Set(ids)]));
  return new Map(found.map((payment) => [payment.id, payment]));
}

async function readTitles(db: DbOrTx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: projects.id, title: projects.title })
    .from(projects)
    .where(inArray(projects.id, [...new Set(ids)]));
  return new Map(found.map(({ id, title }) => [id, title]));
}

async function readPeople(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: users.id, name: personName(users) })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(found.map(({ id, name }) => [id, name]));
}
