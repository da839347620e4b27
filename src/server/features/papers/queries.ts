import { and, desc, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { findBrokenHead } from "#server/books/heads.ts";
import type { DbOrTx } from "#server/db/open.ts";
import { ledgerHeads } from "#server/db/schema/ledger-heads.ts";
import { papers, readableCode } from "#server/db/schema/papers.ts";
import { users } from "#server/db/schema/users.ts";
import type { ActorContext, Context } from "#server/platform/context.ts";
import { AppError } from "#server/platform/errors.ts";
import { decodeCursor, encodeCursor, pageOf } from "#server/platform/keyset.ts";
import { networkOf } from "#server/platform/network.ts";
import { limitRate } from "#server/platform/rate-limit.ts";
import { contains } from "#server/platform/search.ts";
import type { findPaperInput, listPapersInput, verifyPaperInput } from "#shared/papers/inputs.ts";
import {
  type BooksHead,
  headText,
  paperLetters,
  paperLimits,
  paperNumber,
  paperPath,
  paperTexts,
} from "#shared/papers/texts.ts";

/** Reads of papers: one's own, all of them, and the check that one is genuine. */

const columns = {
  id: papers.id,
  kind: papers.kind,
  year: papers.year,
  sequence: papers.sequence,
  code: papers.code,
  firstDay: papers.firstDay,
  lastDay: papers.lastDay,
  amountKobo: papers.amountKobo,
  createdAt: papers.createdAt,
  replacedAt: papers.replacedAt,
} as const;

/** The farm whose money a paper tells of; null where it tells of several. */
const about = sql<string | null>`case ${papers.kind}
  when 'settlement' then (select h.project_title from settlements s join harvests h on h.id = s.harvest_id
    where s.id = ${papers.settlementId})
  else (select coalesce(f.title, p.project_title) from project_payments p left join projects f on f.id = p.project_id
    where p.id = coalesce(${papers.paymentId}, (select r.payment_id from refunds r where r.id = ${papers.refundId}))) end`;

/** The number, and where the PDF is. */
const withNumber =
  ({ site }: Pick<Context, "site">) =>
  <Row extends { id: number; kind: typeof papers.$inferSelect.kind; year: number; sequence: number }>({
    year,
    sequence,
    ...row
  }: Row) => ({
    ...row,
    number: paperNumber(site.current(), { kind: row.kind, year, sequence }),
    url: paperPath(row.id),
  });

const after = (cursor: string | null | undefined): SQL | undefined =>
  cursor ? lt(papers.id, decodeCursor(cursor, ["bigint"])[0]) : undefined;

const cursorOf = ({ id }: { id: number }): string => encodeCursor([id]);

/** The caller's papers, newest first, with those that were replaced. */
export async function listMyPapers(ctx: ActorContext, { cursor }: { cursor?: string | null | undefined }) {
  const found = await ctx.db
    .select({ ...columns, about })
    .from(papers)
    .where(and(eq(papers.userId, ctx.actor.id), after(cursor)))
    .orderBy(desc(papers.id))
    .limit(paperLimits.pageSize + 1);
  const page = pageOf(found, paperLimits.pageSize, cursorOf);
  return { ...page, items: page.items.map(withNumber(ctx)) };
}

/** Everybody's papers, newest first: of a kind, of a person, or found by a part of a number, a name or an address. */
export async function listPapers(ctx: ActorContext, input: z.output<typeof listPapersInput>) {
  const { kind, userId, search, cursor } = input;
  const found = await ctx.db
    .select({ ...columns, about, userId: papers.userId, fullName: users.fullName })
    .from(papers)
    .leftJoin(users, eq(users.id, papers.userId))
    .where(
      and(
        kind ? eq(papers.kind, kind) : undefined,
        userId ? eq(papers.userId, userId) : undefined,
        search ? isFoundBy(ctx, search) : undefined,
        after(cursor),
      ),
    )
    .orderBy(desc(papers.id))
    .limit(paperLimits.pageSize + 1);
  const page = pageOf(found, paperLimits.pageSize, cursorOf);
  return { ...page, items: page.items.map(withNumber(ctx)) };
}

const letters = sql.raw(
  Object.entries(paperLetters)
    .map(([kind, letter]) => `when '${kind}' then '${letter}'`)
    .join(" "),
);
const numberText = ({ site }: Pick<Context, "site">) =>
  sql`(${site.current().paperPrefix}::text || case ${papers.kind} ${letters} end || '-' || ${papers.year} || '-' || lpad(${papers.sequence}::text, 6, '0'))`;

const isFoundBy = (ctx: Context, search: string): SQL | undefined =>
  or(
    contains(numberText(ctx), search),
    and(isNull(users.closedAt), or(contains(users.fullName, search), contains(users.email, search))),
  );

/** The caller's own papers, or all of them with the permission to view payments. */
export function mayRead({ actor }: ActorContext): SQL | undefined {
  return actor.permissions.includes("payments:view") ? undefined : eq(papers.userId, actor.id);
}

function isAbout(input: z.output<typeof findPaperInput>): SQL | undefined {
  switch (input.kind) {
    case "receipt":
      return eq(papers.paymentId, input.id);
    case "refund_note":
      return eq(papers.refundId, input.id);
    case "run_sheet":
      return eq(papers.runId, input.id);
    case "settlement":
      return eq(papers.settlementId, input.id);
  }
}

/**
 * The valid paper of a payment, a refund, a run, or of a person's part in a settlement, which is the caller's unless one is
 * named. Throws "not_found", also for other people's.
 */
export async function findPaper(ctx: ActorContext, input: z.output<typeof findPaperInput>) {
  const isTheirs = input.kind === "settlement" ? eq(papers.userId, input.userId ?? ctx.actor.id) : undefined;
  const [found] = await ctx.db
    .select(columns)
    .from(papers)
    .where(and(isAbout(input), isNull(papers.replacedAt), isTheirs, mayRead(ctx)));
  if (!found) throw new AppError("not_found", paperTexts.notMade);
  return withNumber(ctx)(found);
}

/**
 * Returns the public facts of a paper by its code: kind, number, amount, day, and whether it is valid; no name. Letters
 * and digits that are misread for one another count as the same, and the answer has the paper's own code. Throws
 * "not_found" in words, and "rate_limited" for whoever guesses.
 */
export async function verifyPaper(ctx: Context, { code }: z.output<typeof verifyPaperInput>) {
  await limitRate(ctx, `verify-paper:${networkOf(ctx.ipAddress)}`, { hits: 60, windowSeconds: 600 });
  const found = await readByCode(ctx.db, code);
  if (!found) throw new AppError("not_found", paperTexts.unknownCode);
  const { kind, year, sequence, amountKobo, createdAt, replacedAt, headN, headHash } = found;
  return {
    kind,
    code: found.code,
    number: paperNumber(ctx.site.current(), { kind, year, sequence }),
    amountKobo,
    issuedAt: createdAt,
    replacedAt,
    books: headN === null || headHash === null ? null : await findBooks(ctx, { n: headN, hash: headHash }),
  };
}

/** Looks up the head that a paper prints in the chain of today's ledger. */
async function findBooks(ctx: Context, head: BooksHead) {
  const [today] = await ctx.db.select({ hash: ledgerHeads.hash }).from(ledgerHeads).where(eq(ledgerHeads.n, head.n));
  const broken = await rememberBrokenHead(ctx);
  return { text: headText(head), isInChain: today?.hash === head.hash && (broken === null || head.n < broken) };
}

const chainMs = 600_000;
const chains = new WeakMap<object, { at: number; broken: Promise<number | null> }>();

/** It reads the whole ledger, so that of ten minutes ago is good enough, and those who ask at once share it. */
function rememberBrokenHead({ db, clock }: Pick<Context, "db" | "clock">): Promise<number | null> {
  const now = clock.now().getTime();
  const known = chains.get(db);
  if (known && now >= known.at && now - known.at < chainMs) return known.broken;
  const broken = findBrokenHead(db);
  chains.set(db, { at: now, broken });
  broken.catch(() => chains.delete(db));
  return broken;
}

async function readByCode(db: DbOrTx, code: string) {
  const isReadSo = sql`${readableCode(papers.code)} = ${readableCode(code)}`;
  const found = await db
    .select({ ...columns, headN: papers.headN, headHash: papers.headHash })
    .from(papers)
    .where(isReadSo)
    .limit(2);
  // Of two papers whose codes are read alike, the one of exactly this code.
  return found.length === 1 ? found[0] : found.find((paper) => paper.code === code);
}
