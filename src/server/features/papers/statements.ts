import { isDeepStrictEqual } from "node:util";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { inTransaction, type Tx } from "#server/db/open.ts";
import { papers } from "#server/db/schema/papers.ts";
import { users } from "#server/db/schema/users.ts";
import { taxContent } from "#server/features/papers/contents/settlements.ts";
import { readStatement, readTaxes } from "#server/features/papers/contents/statement-rows.ts";
import { dueAfter, statementContent } from "#server/features/papers/contents/statements.ts";
import { recordAudit } from "#server/platform/audit.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { atLeastNothing, sumOf } from "#shared/money.ts";
import type { paperRangeInput, statementOfInput } from "#shared/papers/inputs.ts";
import { paperNumber, paperTexts, rangeText } from "#shared/papers/texts.ts";
import { type MadePaper, makePapers, type NewPaper } from "./numbering.ts";

/** Papers of a range of days, made when somebody asks: a person's statement, and the tax withheld of all. */

const limit = { hits: 30, windowSeconds: 3600 };

/** The caller's statement of a range. The same range that says the same gives the same paper. */
export async function makeStatement(ctx: ActorContext, range: z.output<typeof paperRangeInput>): Promise<MadePaper> {
  await limitRate(ctx, `paper-statements:${ctx.actor.id}`, limit);
  return (await keepStatement(ctx, { ...range, userId: ctx.actor.id })).paper;
}

/** The same of any person, for an administrator; audited when a paper is made. Throws "not_found". */
export async function makeStatementOf(ctx: ActorContext, asked: z.output<typeof statementOfInput>): Promise<MadePaper> {
  await limitRate(ctx, `paper-statements:${ctx.actor.id}`, limit);
  return (await keepStatement(ctx, asked, (tx, paper) => recordMade(tx, ctx, paper, asked))).paper;
}

/** The tax that was withheld in a range; audited when a paper is made. */
export async function makeTaxList(ctx: ActorContext, range: z.output<typeof paperRangeInput>): Promise<MadePaper> {
  await limitRate(ctx, `paper-statements:${ctx.actor.id}`, limit);
  const read: Read = async (tx) => {
    const found = await readTaxes(tx, range);
    const content = taxContent(rangeText(range), found, ctx.site.current());
    return { amountKobo: sumOf(found.map(({ whtKobo }) => whtKobo)), content };
  };
  const of = { kind: "tax_list", userId: null, ...range } as const;
  return (await keepOfRange(ctx, of, read, (tx, paper) => recordMade(tx, ctx, paper, range))).paper;
}

type Kept = { paper: MadePaper; isNew: boolean };
type OnNew = (tx: Tx, paper: MadePaper) => Promise<unknown>;

/** Reads the content of a paper under the lock of its range. */
type Read = (tx: Tx) => Promise<Pick<NewPaper, "amountKobo" | "content">>;

async function keepStatement(
  ctx: ActorContext,
  { userId, firstDay, lastDay }: z.output<typeof statementOfInput>,
  onNew?: OnNew,
): Promise<Kept> {
  const read: Read = async (tx) => {
    const [person] = await tx.select({ fullName: users.fullName }).from(users).where(eq(users.id, userId));
    if (!person) throw new AppError("not_found", paperTexts.notMade);
    const statement = await readStatement(tx, { userId, firstDay, lastDay, ...person });
    const dueKobo = dueAfter(statement);
    const content = statementContent(statement, ctx.site.current());
    return { amountKobo: atLeastNothing(dueKobo), content };
  };
  return keepOfRange(ctx, { kind: "statement", userId, firstDay, lastDay }, read, onNew);
}

/**
 * The paper of a range that says the same, if that is the last one of it; else a new one, and the older is replaced. Whoever
 * asks for the same range at the same time waits, and gets the same paper. What it says is read after the wait: nobody
 * replaces a paper by what was true before it.
 */
async function keepOfRange(
  ctx: ActorContext,
  of: { kind: "statement" | "tax_list"; userId: string | null; firstDay: string; lastDay: string },
  read: Read,
  onNew?: OnNew,
): Promise<Kept> {
  const { kind, userId, firstDay, lastDay } = of;
  return inTransaction(ctx.db, async (tx) => {
    const range = `paper ${kind} ${userId} ${firstDay} ${lastDay}`;
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${range}))`);
    const made = { userId, firstDay, lastDay, ...(await read(tx)) };
    const isOfRange = and(
      eq(papers.kind, kind),
      userId === null ? isNull(papers.userId) : eq(papers.userId, userId),
      eq(papers.firstDay, firstDay),
      eq(papers.lastDay, lastDay),
      isNull(papers.replacedAt),
    );
    const [last] = await tx.select().from(papers).where(isOfRange);
    if (last && last.amountKobo === made.amountKobo && isDeepStrictEqual(last.content, made.content)) {
      const number = paperNumber(ctx.site.current(), last);
      return { paper: { id: last.id, number, userId }, isNew: false };
    }
    const at = ctx.clock.now();
    if (last) await tx.update(papers).set({ replacedAt: at }).where(eq(papers.id, last.id));
    const [paper] = await makePapers(tx, { kind, at, site: ctx.site.current() }, [made]);
    if (!paper) throw new Error("the paper was not written");
    await onNew?.(tx, paper);
    return { paper, isNew: true };
  });
}

const recordMade = (
  tx: Tx,
  ctx: ActorContext,
  { id: paperId, number }: MadePaper,
  { firstDay, lastDay, ...of }: { firstDay: string; lastDay: string; userId?: string },
) => recordAudit(tx, ctx, "make_paper", { paperId, number, firstDay, lastDay, ...of });
