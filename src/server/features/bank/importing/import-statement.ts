import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { requireOpenAccount } from "#server/accounts/sessions.ts";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { ownAccounts, statements } from "#server/db/schema/bank.ts";
import type { StatementFile, StatementRefusal } from "#server/features/bank/statements/statement.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError, fieldRefusal } from "#server/platform/errors.ts";
import type { importStatementFields } from "#shared/bank/import-inputs.ts";
import { bankImportTexts as texts } from "#shared/bank/import-texts.ts";
import type { ImportAnswer } from "#shared/bank/statement-import-texts.ts";
import { statementLimits } from "#shared/bank/statement-texts.ts";
import { dayInLagos } from "#shared/dates.ts";
import { type Kobo, MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";
import { findOtherColumns, type Import, type OwnAccount, planImport } from "./plan.ts";
import { readInProcess } from "./reading.ts";
import { viewOfRewritten } from "./rewritten.ts";
import { withStatementFile } from "./statement-file.ts";
import { writeImport } from "./write.ts";

/**
 * Importing a bank's statement: all of it in one transaction, with the own account locked, or nothing. What has to be asked
 * first is asked without anything being written.
 */

type GivenFile = { content: Uint8Array<ArrayBuffer>; sha256: string; bytes: number; originalName: string };
type Given = z.output<typeof importStatementFields> & { file: GivenFile };

/**
 * Reads a statement and keeps the lines that aren't known yet, each posted once. Gives what is asked instead where columns
 * have to be confirmed, a balance typed or a gap explained, and what is wrong where the file is refused. Throws "not_found".
 */
export async function importStatement(ctx: ActorContext, given: Given): Promise<ImportAnswer> {
  const [account] = await ctx.db.select().from(ownAccounts).where(eq(ownAccounts.id, given.accountId));
  if (!account) throw new AppError("not_found", texts.accountNotFound);
  const openingKobo = readOpening(given.openingNaira);
  const mapping = given.mapping ?? account.mapping;
  const { dayOrder } = account;
  const statement = await readInProcess(ctx, { content: given.file.content, mapping, dayOrder });
  if (statement.kind === "refused") return refused(statement);
  return withStatementFile(ctx, given.file, (file) =>
    inTransaction(ctx.db, (tx) => keepStatement(tx, ctx, { ...given, openingKobo, statement, file })),
  );
}

/** A typed balance; an overdrawn account's begins with a minus sign. */
function readOpening(text: string | undefined): Kobo | null {
  if (!text) return null;
  const isNegative = /^[-−]/.test(text);
  const kobo = parseNaira(isNegative ? text.slice(1) : text, MAX_STATEMENT_KOBO);
  if (kobo === null) throw fieldRefusal("openingNaira", texts.openingInvalid);
  return isNegative ? -kobo : kobo;
}

const refused = ({ faults, moreFaults, table }: Omit<StatementRefusal, "kind" | "format">): ImportAnswer => ({
  kind: "refused",
  faults,
  moreFaults,
  table,
});

/** The import's transaction, of a file that was read. */
export async function keepStatement(tx: Tx, ctx: ActorContext, given: Import): Promise<ImportAnswer> {
  // Another import of the account may be at work for a while.
  await tx.execute(sql`set local lock_timeout = '60s'`);
  await requireOpenAccount(tx, ctx.actor);
  const [account] = await tx.select().from(ownAccounts).where(eq(ownAccounts.id, given.accountId)).for("no key update");
  if (!account) throw new AppError("not_found", texts.accountNotFound);
  if (account.closedAt !== null) throw new AppError("conflict", texts.accountClosed);
  const { statement } = given;
  const otherDayOrder = findOtherDayOrder(account, given);
  if (otherDayOrder !== null) {
    return refused({ faults: [{ row: null, text: otherDayOrder }], moreFaults: 0, table: statement.table });
  }
  const faults = faultsOf(ctx, account, statement);
  if (faults.length > 0) {
    const shown = faults.slice(0, statementLimits.faults);
    return refused({ faults: shown, moreFaults: faults.length - shown.length, table: statement.table });
  }
  const plan = await planImport(tx, account, given);
  if (plan.otherFormat !== null) {
    return refused({ faults: [{ row: null, text: plan.otherFormat }], moreFaults: 0, table: null });
  }
  const earlierAt = await findEarlier(tx, account, given.file.sha256);
  const otherColumns =
    earlierAt && plan.newLines.length + plan.rewritten.length > 0
      ? texts.otherColumnsOfFile(earlierAt)
      : findOtherColumns(plan);
  if (otherColumns !== null) {
    return refused({ faults: [{ row: null, text: otherColumns }], moreFaults: 0, table: statement.table });
  }
  const { lines, firstDay, lastDay } = plan;
  const counted = {
    lines: lines.length,
    newLines: plan.newLines.length,
    knownLines: lines.length - plan.newLines.length - (given.sameLines ? 0 : plan.rewritten.length),
    leftOut: statement.leftOut,
    firstDay,
    lastDay,
    notes: [...statement.notes, ...(earlierAt ? [texts.alreadyImported(earlierAt)] : [])],
  };
  const asked = {
    mapping: statement.table?.isAsked && !given.mapping ? statement.table : null,
    opening: plan.openingKobo === null,
    rewritten: given.sameLines ? null : viewOfRewritten(plan.rewritten),
    gaps: given.gapReason ? [] : plan.gaps,
  };
  if (asked.mapping || plan.openingKobo === null || asked.rewritten || asked.gaps.length > 0)
    return { kind: "asks", ...counted, ...asked };
  const statementId = await writeImport(tx, ctx, { ...plan, account, given, openingKobo: plan.openingKobo });
  return { kind: "imported", statementId, ...counted };
}

/**
 * Returns the refusal of a file whose days were read in another order than its account was proved to use; null if they agree.
 * Banks may change their order: where the file proves the new one, a person may choose it.
 */
function findOtherDayOrder({ dayOrder: before }: OwnAccount, { statement, mapping }: Import): string | null {
  const now = statement.dayOrder;
  if (now === null || before === null || now.order === before) return null;
  if (!now.isProved) return texts.unprovedDayOrder(before);
  return mapping?.dayOrder === now.order ? null : texts.otherDayOrder(now.order, before);
}

/** Returns the faults of a file for this account at this day. */
function faultsOf(ctx: Pick<Context, "clock">, account: OwnAccount, statement: StatementFile) {
  const { accountNumber, openedOn } = account;
  if (statement.account !== null && !namesAccount(statement.account, accountNumber)) {
    return [{ row: null, text: texts.otherAccount(statement.account, accountNumber) }];
  }
  const today = dayInLagos(ctx.clock.now());
  const { lines, days } = statement;
  if (lines.length === 0 && days && days.last > today) return [{ row: null, text: texts.dayInFuture(days.last) }];
  return statement.lines.flatMap(({ row, date }) => {
    if (date > today) return [{ row, text: texts.inFuture(row, date) }];
    return openedOn !== null && date < openedOn ? [{ row, text: texts.beforeOpening(row, date, openedOn) }] : [];
  });
}

/** True if a printed number is the account's: banks put codes around it, and hide a part of it. */
function namesAccount(printed: string, accountNumber: string): boolean {
  const groups = printed.match(/\d+/g) ?? [];
  const isHidden = /[*x]/i.test(printed) && groups.every(({ length }) => length < accountNumber.length);
  if (isHidden) return groups.every((group) => accountNumber.startsWith(group) || accountNumber.endsWith(group));
  return groups.join("").includes(accountNumber) || groups.some((group) => group.replace(/^0+/, "") === accountNumber);
}

/** Finds the time at which the same file was imported for the account; null if it wasn't. */
async function findEarlier(tx: Tx, { id }: OwnAccount, sha256: string): Promise<Date | null> {
  const [earlier] = await tx
    .select({ createdAt: statements.createdAt })
    .from(statements)
    .where(and(eq(statements.ownAccountId, id), eq(statements.sha256, sha256)))
    .limit(1);
  return earlier?.createdAt ?? null;
}
