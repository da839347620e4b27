import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { placesOf, readMoneyOf } from "#server/books/places.ts";
import type { Tx } from "#server/db/open.ts";
import { lineMatches } from "#server/db/schema/line-matches.ts";
import { paymentReferences, projectPayments } from "#server/db/schema/payments.ts";
import { users } from "#server/db/schema/users.ts";
import type { Line } from "#server/features/bank/matching/candidates/candidate.ts";
import { findAlikeNames, findLikely, namesIn } from "#server/features/bank/matching/candidates/payments.ts";
import { findReferencesIn } from "#server/features/bank/matching/candidates/references.ts";
import type { Whose } from "#server/features/bank/matching/kinds/kind.ts";
import { kindOf } from "#server/features/bank/matching/kinds/kinds.ts";
import { nameTokens } from "#server/features/bank/statements/narrations.ts";
import type { Payout } from "#server/features/payouts/service.ts";
import { shownName } from "#server/platform/names.ts";
import type { LinePart } from "#shared/bank/inputs.ts";
import { wallTexts as texts } from "#shared/bank/texts.ts";
import type { LockedRows } from "./locked-rows.ts";

/**
 * Some explanations of a line need two people: those against what the line says, those that take money from an approved
 * payment, and charges, costs that nobody wrote down or the company's own money beyond a limit. Each reason is a
 * sentence.
 */

type Asked = {
  line: Line;
  /** Whoever explains it. */
  actorId: string;
  /** The line, and those of other own accounts that its parts name. */
  lines: ReadonlyMap<number, Line>;
  parts: readonly LinePart[];
  locked: LockedRows;
  payouts: readonly Payout[];
};

/**
 * Returns why parts of a line need two people, by what the lines say and whose money it is, and the parts for a payment whose
 * payer the line doesn't name, by our reference or a name that is alike. The caller has locked all of it.
 */
export async function weighParts(
  tx: Tx,
  { line, actorId, lines, parts, locked, payouts }: Asked,
): Promise<{ reasons: string[]; unnamed: ReadonlySet<LinePart> }> {
  const reasons: string[] = [];
  const unnamed = new Set<LinePart>();
  for (const one of lines.values()) {
    const evidence = await readEvidence(tx, one);
    // The other line of a transfer between own accounts is explained by it alone.
    const ofLine =
      one.id === line.id ? parts : parts.filter((part) => kindOf(part).names(part).counterLineIds?.includes(one.id));
    for (const part of ofLine) {
      const kind = kindOf(part);
      const whose = kind.whose(part, { locked, payouts });
      reasons.push(...againstEvidence(part, evidence, whose));
      if (isNamedBy(evidence, whose)) continue;
      if (whose.userId === actorId) reasons.push(texts.ownMoney);
      if (kind.isForPayment && !(await isNameAlike(tx, one, whose))) unnamed.add(part);
    }
  }
  for (const part of parts) reasons.push(...(await kindOf(part).reasons(tx, { line, part, locked })));
  return { reasons, unnamed };
}

async function isNameAlike(tx: Tx, line: Line, { userId }: Whose): Promise<boolean> {
  if (userId === null) return false;
  const [person] = await tx
    .select({ name: shownName(users) })
    .from(users)
    .where(eq(users.id, userId));
  return person !== undefined && (await findAlikeNames(tx, [[namesIn(line), nameTokens(person.name)]])).size > 0;
}

/** Reads everything that a line says of its payer. */
async function readEvidence(tx: Tx, line: Line) {
  const references = (await findReferencesIn(tx, [line])).get(line.id) ?? [];
  const owners =
    references.length === 0
      ? []
      : await tx
          .select({ reference: paymentReferences.reference, userId: paymentReferences.userId })
          .from(paymentReferences)
          .where(inArray(paymentReferences.reference, references));
  // What was explained of it before doesn't hide that all of it fits.
  const likely =
    references.length === 0 && line.amountKobo > 0n ? await findLikely(tx, { ...line, matchedKobo: 0n }) : [];
  return { references, owners, likely, missing: await findMissing(tx, line) };
}

type Evidence = Awaited<ReturnType<typeof readEvidence>>;

/** Approved payments that a match of this line was undone of, and that miss its money since. */
async function findMissing(tx: Tx, { id }: Line) {
  const found = await tx
    .selectDistinct({
      id: projectPayments.id,
      reference: projectPayments.reference,
      userId: projectPayments.userId,
    })
    .from(lineMatches)
    .innerJoin(projectPayments, eq(projectPayments.id, lineMatches.paymentId))
    .where(
      and(
        eq(lineMatches.lineId, id),
        eq(lineMatches.kind, "payment"),
        isNotNull(lineMatches.undoneAt),
        eq(projectPayments.status, "approved"),
      ),
    );
  const money = await readMoneyOf(
    tx,
    found.map((payment) => payment.id),
  );
  return found.filter((payment) => {
    const its = money.get(payment.id);
    return its !== undefined && placesOf(its).missingKobo > 0n;
  });
}

/** True if a line has a reference of whom its money would be. */
const isNamedBy = (evidence: Evidence, { references, userId }: Whose): boolean =>
  evidence.references.some((reference) => references.includes(reference)) ||
  evidence.owners.some((one) => userId !== null && one.userId === userId);

/** Returns the reasons why a part goes against what its line says. */
function againstEvidence(part: LinePart, evidence: Evidence, whose: Whose): string[] {
  const { userId } = whose;
  const isOwn = (one: { userId: string | null }) => userId !== null && one.userId === userId;
  const isNamed = isNamedBy(evidence, whose);
  const reasons = kindOf(part).reasonsOfReferences({ references: evidence.references, isNamed, whose });
  if (evidence.likely.length > 0 && !evidence.likely.some(isOwn)) {
    const [first] = evidence.likely;
    if (first) reasons.push(texts.fitsOther(`${first.backerName}, ${first.reference}`));
  }
  const [lost] = evidence.missing;
  if (lost && !evidence.missing.some(isOwn)) reasons.push(texts.wasOf(lost.reference));
  return reasons;
}
