import { and, asc, eq, inArray, isNotNull, lt, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { inTransaction } from "#server/db/open.ts";
import { ownAccounts, statementLines } from "#server/db/schema/bank.ts";
import { findCharges } from "#server/features/bank/matching/candidates/charges.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError, refusalOf } from "#server/platform/errors.ts";
import type { accountIdInput, changeChargeTextsInput, matchChargesInput } from "#shared/bank/inputs.ts";
import { ownAccountTexts } from "#shared/bank/own-accounts-texts.ts";
import { bankLimits, bankTexts } from "#shared/bank/texts.ts";
import type { Kobo } from "#shared/money.ts";
import { matchParts } from "./match-line.ts";
import { refreshAround, refreshSuggestions } from "./suggestions.ts";

/** Bank charges of an account: known by the texts that it keeps, and matched many at once. The walls of one owner stay. */

/** Lines of which nothing is explained, and that the last look took for charges, the oldest first. */
const findSuggested = (ctx: ActorContext, which: SQL | undefined) =>
  ctx.db
    .select()
    .from(statementLines)
    .where(
      and(
        isNotNull(statementLines.ownAccountId),
        eq(statementLines.suggestedRule, "bank_charges"),
        eq(statementLines.matchedKobo, 0n),
        which,
      ),
    )
    .orderBy(asc(statementLines.date), asc(statementLines.id))
    .limit(bankLimits.chargesAtOnce);

/** The charges of an account that wait, and the texts that it knows them by. */
export async function listCharges(ctx: ActorContext, { accountId }: z.output<typeof accountIdInput>) {
  const [account] = await ctx.db
    .select({ texts: ownAccounts.chargeTexts })
    .from(ownAccounts)
    .where(eq(ownAccounts.id, accountId));
  if (!account) throw new AppError("not_found", ownAccountTexts.notFound);
  const lines = await findSuggested(ctx, eq(statementLines.ownAccountId, accountId));
  return {
    texts: account.texts,
    lines: lines.map(({ id, date, amountKobo, narration }) => ({
      id,
      date,
      narration,
      amountKobo: -amountKobo,
    })),
  };
}

type Matched = { matched: number; matchedKobo: Kobo; refused: { lineId: number; why: string }[] };

/**
 * Matches the charges that an owner saw, each in its own transaction. One that has changed, or takes a second person,
 * stays as it is, with the reason.
 */
export async function matchCharges(ctx: ActorContext, input: z.output<typeof matchChargesInput>): Promise<Matched> {
  const wanted = [...new Set(input.lineIds)];
  const lines = await findSuggested(ctx, inArray(statementLines.id, wanted));
  const charges = await findCharges(ctx.db, lines);
  const ids = lines.flatMap(({ id }) => (charges.has(id) ? [id] : []));
  const result: Matched = {
    matched: 0,
    matchedKobo: 0n,
    refused: wanted.filter((id) => !ids.includes(id)).map((lineId) => ({ lineId, why: bankTexts.lineChanged })),
  };
  for (const lineId of ids) {
    const parts = charges.get(lineId)?.map(({ part }) => part) ?? [];
    try {
      await inTransaction(ctx.db, (tx) => matchParts(tx, ctx, { lineId, seenMatchedKobo: 0n, parts }));
      result.matched += 1;
      result.matchedKobo += parts.reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      result.refused.push({ lineId, why: refusal.message });
    }
  }
  await refreshAround(ctx.db, ids);
  return result;
}

/** Changes the texts by which charges of an account are known. They only suggest: a person matches. Throws "not_found". */
export async function changeChargeTexts(
  ctx: ActorContext,
  { accountId, texts }: z.output<typeof changeChargeTextsInput>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await requireOpenAccount(tx, ctx.actor);
    const isIt = eq(ownAccounts.id, accountId);
    const [account] = await tx
      .select({ before: ownAccounts.chargeTexts })
      .from(ownAccounts)
      .where(isIt)
      .for("no key update");
    if (!account) throw new AppError("not_found", ownAccountTexts.notFound);
    const { before } = account;
    if (JSON.stringify(before) === JSON.stringify(texts)) return;
    await tx.update(ownAccounts).set({ chargeTexts: texts }).where(isIt);
    await recordAudit(tx, ctx, "change_charge_texts", { accountId, before, after: texts });
  });
  await refreshSuggestions(ctx.db, and(eq(statementLines.ownAccountId, accountId), lt(statementLines.amountKobo, 0n)));
}
