import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { harvestCosts, harvestSales } from "#server/db/schema/harvests.ts";
import { backingWeights, projectBackings } from "#server/db/schema/projects.ts";
import type { Deps } from "#server/platform/deps.ts";
import { keptMatch, type MatchLine } from "#shared/bank/inputs.ts";
import type { askSecondPersonInput } from "#shared/second-person/inputs.ts";
import { type Caller, callAs, type TestUser } from "./people.ts";

/** Acts of two owners together. */

export type Owners = { asker: TestUser; confirmer: TestUser };

/** One owner asks, and the other one confirms. */
export async function agree(
  deps: Deps,
  { asker, confirmer }: Owners,
  request: z.input<typeof askSecondPersonInput>,
): Promise<void> {
  await (await callAs(deps, asker)).secondPerson.ask(request);
  await confirmNext(deps, confirmer);
}

/** The other owner confirms what was asked for last. */
export async function confirmNext(deps: Deps, confirmer: TestUser): Promise<void> {
  const second = await callAs(deps, confirmer);
  const { requests } = await second.secondPerson.list();
  const request = requests.at(-1) ?? requests[0];
  if (!request) throw new Error("nothing was asked for");
  await second.secondPerson.confirm({ requestId: request.id, currentPassword: "", code: "" });
}

type Weight = { projectId: number; userId: string; round?: number; weightKobo: bigint; reason?: string };

/** Two owners give a granted backing a part that nobody paid for, or take it away. */
export async function giveWeight(deps: Deps, owners: Owners, { round = 1, ...weight }: Weight): Promise<void> {
  const { projectId, userId, weightKobo, reason = "For the land that they lent us." } = weight;
  const [kept] = await deps.db
    .select({ kobo: backingWeights.weightKobo })
    .from(backingWeights)
    .innerJoin(projectBackings, eq(projectBackings.id, backingWeights.backingId))
    .where(
      and(
        eq(projectBackings.projectId, projectId),
        eq(projectBackings.userId, userId),
        eq(backingWeights.round, round),
      ),
    );
  const part = { weightKobo: String(weightKobo), seenKobo: String(kept?.kobo ?? 0n) };
  await agree(deps, owners, { kind: "set_weight", details: { projectId, userId, round, ...part }, reason });
}

/** Two owners wait no more for what a buyer or an insurer was to pay. */
export async function removeSale(deps: Deps, owners: Owners, saleId: number): Promise<void> {
  const [sale] = await deps.db.select().from(harvestSales).where(eq(harvestSales.id, saleId));
  const details = { saleId, amountKobo: String(sale?.amountKobo) };
  await agree(deps, owners, { kind: "remove_sale", details, reason: "The buyer has gone out of business." });
}

/** Two owners count what the farm is said to have paid for a harvest. */
export async function countCosts(deps: Deps, owners: Owners, harvestId: number): Promise<void> {
  const found = await deps.db
    .select()
    .from(harvestCosts)
    .where(and(eq(harvestCosts.harvestId, harvestId), eq(harvestCosts.paidBy, "farm")));
  for (const { id: costId, amountKobo, requestId, removedAt } of found) {
    if (requestId !== null || removedAt !== null) continue;
    const details = { costId, amountKobo: String(amountKobo) };
    await agree(deps, owners, { kind: "count_cost", details, reason: "We have both seen the farm's receipt." });
  }
}

type Request = Parameters<Caller["secondPerson"]["ask"]>[0];

/** Asks as one owner, and confirms as the other at once. */
export async function twoAgree(asks: Caller, confirms: Caller, request: Request): Promise<void> {
  await asks.secondPerson.ask(request);
  const { requests } = await confirms.secondPerson.list();
  const asked = requests.findLast(({ kind, isOwn }) => kind === request.kind && !isOwn);
  await confirms.secondPerson.confirm({ requestId: asked?.id ?? 0 });
}

export type TwoOwners = { asks: Caller; confirms: Caller };
const seen = "Both of us have seen it on the bank's own paper.";

/** Two owners explain a line. */
export const matchByTwo = ({ asks, confirms }: TwoOwners, match: MatchLine): Promise<void> =>
  twoAgree(asks, confirms, { kind: "match_line", details: keptMatch(match), reason: seen });

/** Two owners undo a match. */
export const undoByTwo = ({ asks, confirms }: TwoOwners, matchId: number): Promise<void> =>
  twoAgree(asks, confirms, { kind: "undo_match", details: { matchId }, reason: seen });
