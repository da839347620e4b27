import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { postVoidedLines, postVoidedOpening } from "#server/books/events/lines.ts";
import type { Tx } from "#server/db/open.ts";
import { ownAccounts, statementLines, statements, voids } from "#server/db/schema/bank.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { voidTexts as texts } from "#shared/bank/void-texts.ts";
import type { VoidBankDataDetails } from "#shared/bank/voids.ts";

/**
 * Bank data that was wrong is void, as two owners say: a file of another account, a line that the bank never had, an
 * opening with a digit too few. Its postings are taken back, the rows stay, and no account has them any more:
 * `own_account_id` is null, so that no list, sum, rule or fingerprint of an account sees them. The order of locks is
 * own account, statement, lines.
 */

type Locked = {
  ownAccountId: number;
  statementId: number | null;
  lineIds: number[];
};

/** Locks what is to be void. Throws "not_found" if it isn't there, or "conflict" while a match of it stands. */
export async function lockForVoid(tx: Tx, details: VoidBankDataDetails): Promise<Locked> {
  const ownAccountId = await findAccountOf(tx, details);
  if (ownAccountId === null) throw new AppError("not_found", texts.gone);
  const [account] = await tx.select().from(ownAccounts).where(eq(ownAccounts.id, ownAccountId)).for("no key update");
  if (!account) throw new AppError("not_found", texts.gone);
  if (details.what === "opening") {
    if (account.openedOn === null) throw new AppError("conflict", texts.notOpened);
    const lines = await tx.$count(statementLines, eq(statementLines.ownAccountId, ownAccountId));
    if (lines > 0) throw new AppError("conflict", texts.hasLines(lines));
    return { ownAccountId, statementId: null, lineIds: [] };
  }
  const isIt =
    details.what === "line"
      ? eq(statementLines.id, details.lineId)
      : eq(statementLines.statementId, details.statementId);
  const lines = await tx
    .select({ id: statementLines.id, matchedKobo: statementLines.matchedKobo })
    .from(statementLines)
    .where(and(isIt, eq(statementLines.ownAccountId, ownAccountId)))
    .orderBy(asc(statementLines.id))
    .for("update");
  const matched = lines.filter(({ matchedKobo }) => matchedKobo !== 0n).length;
  if (matched > 0) throw new AppError("conflict", texts.matched(matched));
  const lineIds = lines.map(({ id }) => id);
  if (details.what === "line") {
    if (lineIds.length === 0) throw new AppError("not_found", texts.gone);
    return { ownAccountId, statementId: null, lineIds };
  }
  const isStanding = and(eq(statements.id, details.statementId), isNotNull(statements.ownAccountId));
  const [statement] = await tx.select({ id: statements.id }).from(statements).where(isStanding).for("update");
  if (!statement) throw new AppError("not_found", texts.gone);
  return { ownAccountId, statementId: statement.id, lineIds };
}

/** The account whose data it is; null where it is void already, or was never there. */
async function findAccountOf(tx: Tx, details: VoidBankDataDetails): Promise<number | null> {
  if (details.what === "opening") return details.accountId;
  const [found] =
    details.what === "line"
      ? await tx
          .select({ id: statementLines.ownAccountId })
          .from(statementLines)
          .where(eq(statementLines.id, details.lineId))
      : await tx.select({ id: statements.ownAccountId }).from(statements).where(eq(statements.id, details.statementId));
  return found?.id ?? null;
}

/** Voids what two owners agreed on. `title` names it in the audit log. */
export async function voidBankData(
  tx: Tx,
  ctx: ActorContext,
  asked: { details: VoidBankDataDetails; title: string; requestId: number; reason: string },
): Promise<void> {
  const { details, title, requestId, reason } = asked;
  const { ownAccountId, statementId, lineIds } = await lockForVoid(tx, details);
  const at = ctx.clock.now();
  const actorId = ctx.actor.id;
  const [made] = await tx
    .insert(voids)
    .values({ what: details.what, ownAccountId, reason, requestId, madeBy: actorId, createdAt: at })
    .returning({ id: voids.id });
  if (!made) throw new Error("the void was not written");
  const voided = { ownAccountId: null, voidId: made.id };
  if (details.what === "opening") await voidOpening(tx, { ownAccountId, actorId, at });
  if (lineIds.length > 0) {
    await keepBalances(tx, { ownAccountId, lineIds });
    const isOne = sql`${statementLines.id} in (select value::bigint
      from jsonb_array_elements_text(${JSON.stringify(lineIds)}::text::jsonb))`;
    await tx
      .update(statementLines)
      .set({ ...voided, gapKobo: null, suggestedRule: null })
      .where(isOne);
    await postVoidedLines(tx, { voidId: made.id, ownAccountId, actorId, at });
  }
  if (statementId !== null) await tx.update(statements).set(voided).where(eq(statements.id, statementId));
  await recordAudit(tx, ctx, "void_bank_data", {
    ...details,
    voidId: made.id,
    ownAccountId,
    title,
    lines: lineIds.length,
    requestId,
    reason,
  });
}

/** The next statement asks for it again, and for its columns and its order of days. */
async function voidOpening(
  tx: Tx,
  { ownAccountId, actorId, at }: { ownAccountId: number; actorId: string; at: Date },
): Promise<void> {
  const isIt = eq(ownAccounts.id, ownAccountId);
  const [account] = await tx.select({ openingKobo: ownAccounts.openingKobo }).from(ownAccounts).where(isIt);
  await postVoidedOpening(tx, { ownAccountId, openingKobo: account?.openingKobo ?? 0n, actorId, at });
  await tx.update(ownAccounts).set({ openedOn: null, openingKobo: null, mapping: null, dayOrder: null }).where(isIt);
}

/**
 * The balance that the bank printed after the lines stays true: what they moved is a gap before the next line that
 * prints one, until the right file closes it.
 */
async function keepBalances(
  tx: Tx,
  { ownAccountId, lineIds }: { ownAccountId: number; lineIds: readonly number[] },
): Promise<void> {
  await tx.execute(sql`
    with gone as (
      select l.id, l.position, l.amount_kobo + coalesce(l.gap_kobo, 0) as kobo from statement_lines l
      where l.id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(lineIds)}::text::jsonb))
    ), moved as (
      select next.id, sum(gone.kobo) as kobo from gone cross join lateral (
        select n.id from statement_lines n
        where n.own_account_id = ${ownAccountId} and n.position > gone.position and n.balance_kobo is not null
          and n.id not in (select id from gone)
        order by n.position limit 1
      ) next group by next.id
    )
    update statement_lines l set gap_kobo = nullif(coalesce(l.gap_kobo, 0) + moved.kobo, 0)
    from moved where l.id = moved.id`);
}
