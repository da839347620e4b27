import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { koboToNairaText } from "#shared/money.ts";
import { quantityText } from "#shared/projects/terms-texts.ts";
import type { Connection } from "./connection.ts";
import { type Act, type Eyes, planOf, type RiverKind } from "./river.ts";

/** Backers' and administrators' acts on a harvest, from its draft to the last settlement. */

const reason = "It was entered by mistake.";

/** An act on one row, if there is one to act on. */
const onRow = <Row extends { id: number }>(
  kind: RiverKind,
  weight: number,
  which: (eyes: Eyes) => SQL,
  write: (found: Row, connection: Connection) => Promise<unknown>,
): Act => ({
  kind,
  weight,
  async plan(eyes) {
    const [row] = await eyes.find<Row>(which(eyes));
    return row ? planOf(kind, row.id, {}, (connection) => write(row, connection)) : null;
  },
});

/** Returns a unique name, by which the checker finds the row that was made with it. */
const newName = (what: string) => `${what} ${randomUUID()}`;

const isOpen = sql`state not in ('done', 'lost', 'withdrawn')`;
const isReady = sql`p.code is not null and p.collected_at is null and p.uncollected_at is null`;

/** The quantities of each pool (sold, with the farm's own, or uncollected) that no sale names yet. */
const unsoldRests = sql`
  select h.id, pool, whole - coalesce((select sum(s.quantity) from harvest_sales s
      where s.harvest_id = h.id and s.pool = pools.pool and s.removed_at is null), 0) as rest
  from harvests h cross join lateral (
    select 'sold' as pool, sum(p.sold) + h.farm_quantity as whole from harvest_parts p where p.harvest_id = h.id
    union all
    select 'uncollected', sum(p.taken) from harvest_parts p where p.harvest_id = h.id and p.uncollected_at is not null
  ) pools
  where h.state in ('allotted', 'settled')`;

/** Harvests (h) whose sale money is all shared out, and nothing waits to be collected. */
const isShared = sql`h.state = 'settled'
  and not exists (select from harvest_parts p where p.harvest_id = h.id and ${isReady})
  and 0 = (select coalesce(sum(e.amount_kobo), 0) from ledger_entries e
    where e.account = 'harvest_proceeds' and e.harvest_id = h.id)`;

/** Those of which nothing is left to sell or to be paid. */
const isSoldOut = sql`${isShared}
  and not exists (select from (${unsoldRests}) as pools where pools.id = h.id and rest > 0)
  and not exists (select from harvest_sales s where s.harvest_id = h.id and s.removed_at is null
    and s.declared_at is null and s.amount_kobo > (select coalesce(sum(m.amount_kobo), 0) from line_matches m
      where m.sale_id = s.id and m.undone_at is null))`;

/** The platform's costs that settlements didn't take and the farm isn't owed. */
const lostKobo = sql`greatest(0, (
    select coalesce(sum(c.amount_kobo), 0) from harvest_costs c
    where c.harvest_id = h.id and c.paid_by = 'platform' and c.removed_at is null
  ) - (
    select coalesce(sum(s.costs_kobo - s.farm_costs_kobo), 0) from settlements s
    where s.harvest_id = h.id and s.reversed_at is null
  ) - (
    select coalesce(sum(p.amount_kobo), 0) from payouts p join settlements s on s.id = p.settlement_id
    where s.harvest_id = h.id and s.reversed_at is null and p.kind = 'farm' and p.state in ('waiting', 'due')))::bigint`;

export const chooseAct: Act = {
  kind: "choose",
  weight: 16,
  async plan(eyes) {
    const [part] = await eyes.find<{ id: number; quantity: string }>(sql`
      select h.id::int, floor(h.quantity * 0.9 * p.weight_kobo
          / (select sum(weight_kobo) from harvest_parts a where a.harvest_id = h.id))::text as quantity
      from harvest_parts p join harvests h on h.id = p.harvest_id
      where p.user_id = ${eyes.userId} and h.state = 'choosing' and h.chooses_until > now() order by random() limit 1`);
    if (!part) return null;
    const all = BigInt(part.quantity) - 1n;
    const taken = (all * BigInt(eyes.random.below(90))) / 100n;
    const given = eyes.random.chance(0.3) ? (all - taken) / 3n : 0n;
    const input = { harvestId: part.id, taken: quantityText(taken), given: quantityText(given) };
    return planOf("choose", part.id, { taken, given }, ({ api }) => api.harvests.choose.mutate(input));
  },
};

/** The acts that managers may do too. */
export const harvestActs: Act[] = [
  {
    kind: "create a harvest",
    weight: 6,
    async plan(eyes) {
      const [farm] = await eyes.find<{ id: number; round: number }>(sql`
        select r.project_id as id, r.round from project_rounds r join projects on projects.id = r.project_id
        where r.outcome = 'funded' and 3 > (select count(*) from harvests h
          where h.project_id = r.project_id and h.round = r.round and ${isOpen})
        order by random() limit 1`);
      if (!farm) return null;
      const isLost = eyes.random.chance(0.15);
      const note = newName("Harvested in the week of the rain.");
      const facts = { quantity: isLost ? "0" : "1,000", lostQuantity: "0", referencePrice: "2,750", note };
      const input = { projectId: farm.id, round: farm.round, ...facts };
      return planOf("create a harvest", farm.id, { note }, ({ api }) => api.harvests.create.mutate(input));
    },
  },
  onRow<{ id: number; seenAt: string }>(
    "open a harvest",
    8,
    () =>
      sql`select id::int, updated_at::text as "seenAt" from harvests where state = 'draft' and quantity > 0 order by random() limit 1`,
    ({ id: harvestId, seenAt }, { api }) => api.harvests.open.mutate({ harvestId, seenAt: new Date(seenAt) }),
  ),
  onRow<{ id: number; quantity: string }>(
    "lower a harvest",
    2,
    () => sql`select id::int, quantity::text from harvests where state = 'choosing' order by random() limit 1`,
    ({ id: harvestId, quantity }, { api }) =>
      api.harvests.lower.mutate({ harvestId, quantity: quantityText((BigInt(quantity) * 97n) / 100n), reason }),
  ),
  onRow(
    "withdraw a harvest",
    1,
    () => sql`select h.id::int from harvests h where h.state in ('draft', 'choosing') and not h.is_insurance and not exists (
      select from harvest_parts p where p.harvest_id = h.id and p.chosen_at is not null) order by random() limit 1`,
    ({ id: harvestId }, { api }) => api.harvests.withdraw.mutate({ harvestId, reason }),
  ),
  {
    kind: "collect produce",
    weight: 14,
    async plan(eyes) {
      const [part] = await eyes.find<{ id: number; code: string }>(sql`
        select h.id::int, p.code from harvest_parts p join harvests h on h.id = p.harvest_id
        where ${isReady} and h.collects_until > now() order by random() limit 1`);
      if (!part) return null;
      const input = { harvestId: part.id, code: part.code };
      return planOf("collect produce", part.id, { code: part.code }, ({ api }) => api.harvests.collect.mutate(input));
    },
  },
  {
    kind: "add a cost",
    weight: 4,
    async plan(eyes) {
      const [harvest] = await eyes.find<{ id: number }>(
        sql`select id::int from harvests where ${isOpen} order by random() limit 1`,
      );
      const fileId = harvest && (await eyes.read(({ uploadEvidence }) => uploadEvidence()));
      if (!harvest || !fileId) return null;
      const amount = `${1 + eyes.random.below(20)},500.25`;
      const paidBy = eyes.random.chance(0.5) ? ("platform" as const) : ("farm" as const);
      const input = { harvestId: harvest.id, label: "Feed", amount, paidBy, fileId };
      return planOf("add a cost", harvest.id, { fileId }, ({ api }) => api.harvests.addCost.mutate(input));
    },
  },
  {
    kind: "add a sale",
    weight: 5,
    async plan(eyes) {
      const [pool] = await eyes.find<{ id: number; pool: "sold" | "uncollected"; rest: string }>(sql`
        select id::int, pool, rest::text from (${unsoldRests}) as pools where rest > 0 order by random() limit 1`);
      if (!pool) return null;
      const rest = BigInt(pool.rest);
      const some = 10_000n < rest ? 10_000n : rest;
      const quantity = quantityText(eyes.random.chance(0.4) ? rest : some);
      const buyer = newName("Market");
      const amount = `${100 + eyes.random.below(900)},000.${10 + eyes.random.below(90)}`;
      const input = { harvestId: pool.id, pool: pool.pool, buyer, quantity, amount };
      return planOf("add a sale", pool.id, { buyer }, ({ api }) => api.harvests.addSale.mutate(input));
    },
  },
];

export const settlingActs: Act[] = [
  {
    kind: "settle a harvest",
    weight: 12,
    async plan(eyes) {
      const [pool] = await eyes
        .find<{ id: number; pool: "sold" | "uncollected"; kobo: string }>(sql`
        select h.id::int, s.pool, (sum(case when s.declared_at is not null then s.amount_kobo else (
            select coalesce(sum(m.amount_kobo), 0) from line_matches m where m.sale_id = s.id and m.undone_at is null) end)
          - (select coalesce(sum(d.proceeds_kobo), 0) from settlements d
            where d.harvest_id = h.id and d.pool = s.pool and d.reversed_at is null))::bigint::text as kobo
        from harvests h join harvest_sales s on s.harvest_id = h.id group by h.id, s.pool order by random()`)
        .then((all) => all.filter(({ kobo }) => BigInt(kobo) > 0n));
      if (!pool) return null;
      const kobo = BigInt(pool.kobo);
      const input = { harvestId: pool.id, pool: pool.pool, amount: koboToNairaText(kobo) };
      return planOf("settle a harvest", pool.id, { pool: pool.pool, kobo }, ({ api }) =>
        api.harvests.settle.mutate(input),
      );
    },
  },
  onRow(
    "reverse a settlement",
    2,
    () => sql`select s.id::int from settlements s join harvests h on h.id = s.harvest_id
      where s.reversed_at is null and h.state <> 'done' and not exists (
        select from payouts o where o.settlement_id = s.id and o.state not in ('waiting', 'due'))
      order by random() limit 1`,
    ({ id: settlementId }, { api }) => api.harvests.reverse.mutate({ settlementId, reason }),
  ),
  onRow(
    "finish a harvest",
    3,
    () => sql`select h.id::int from harvests h where ${isSoldOut} and ${lostKobo} = 0 order by random() limit 1`,
    ({ id: harvestId }, { api }) => api.harvests.finish.mutate({ harvestId }),
  ),
  {
    kind: "ask for a second person",
    weight: 10,
    async plan(eyes) {
      const ask = eyes.random.weighted([
        [askOfSale, 6],
        [askOfLoss, 2],
        [askOfRest, 2],
        [askOfCosts, 2],
      ]);
      return ask(eyes);
    },
  },
  // Sales first: a short run confirms few requests, and has to meet the fault that is seeded into them.
  onRow(
    "confirm as second person",
    10,
    ({ userId }) => sql`select id::int from second_person_requests
      where decision is null and requested_by <> ${userId} order by kind <> 'declare_sale', random() limit 1`,
    ({ id: requestId }, { api }) => api.secondPerson.confirm.mutate({ requestId }),
  ),
];

/** That the money of a sale came, which a file shows. */
async function askOfSale(eyes: Eyes) {
  const [sale] = await eyes.find<{ id: number; harvestId: number; kobo: string }>(sql`
    select s.id::int, s.harvest_id::int as "harvestId", (s.amount_kobo - coalesce((select sum(m.amount_kobo)
      from line_matches m where m.sale_id = s.id and m.undone_at is null), 0))::bigint::text as kobo
    from harvest_sales s where s.declared_at is null and s.removed_at is null order by random() limit 1`);
  if (!sale || BigInt(sale.kobo) <= 0n) return null;
  if (!(await addEvidence(eyes, { harvestId: sale.harvestId, saleId: sale.id }))) return null;
  const details = { saleId: sale.id, amountKobo: sale.kobo };
  return planOf("ask for a second person", `declare_sale ${sale.id}`, {}, ({ api }) =>
    api.secondPerson.ask.mutate({ kind: "declare_sale", details, reason: "The buyer paid in cash." }),
  );
}

async function askOfLoss(eyes: Eyes) {
  const [harvest] = await eyes.find<{ id: number }>(sql`
    select h.id::int from harvests h where not h.is_insurance
      and ((h.state = 'draft' and h.quantity = 0) or (h.state in ('choosing', 'allotted') and h.id % 6 = 0))
    order by h.state <> 'draft', random() limit 1`);
  if (!harvest || !(await addEvidence(eyes, { harvestId: harvest.id }))) return null;
  const details = { what: "harvest" as const, harvestId: harvest.id };
  return planOf("ask for a second person", `lose ${harvest.id}/harvest`, {}, ({ api }) =>
    api.secondPerson.ask.mutate({ kind: "lose", details, reason: "The ponds ran dry in the drought." }),
  );
}

/** That what is left of a harvest is never sold, or never paid for. */
async function askOfRest(eyes: Eyes) {
  const [harvest] = await eyes.find<{ id: number; lost: string }>(
    sql`select h.id::int, ${lostKobo}::text as lost from harvests h
      where ${isShared} and h.id % 3 = 0 order by random() limit 1`,
  );
  if (!harvest || !(await addEvidence(eyes, { harvestId: harvest.id }))) return null;
  const details = { what: "rest" as const, harvestId: harvest.id, lostKobo: harvest.lost };
  return planOf("ask for a second person", `lose ${harvest.id}/rest`, {}, ({ api }) =>
    api.secondPerson.ask.mutate({ kind: "lose", details, reason: "The buyer left the country." }),
  );
}

/** That what the platform paid beyond the sales is lost, which ends the harvest. */
async function askOfCosts(eyes: Eyes) {
  const [harvest] = await eyes.find<{ id: number; lost: string }>(
    sql`select h.id::int, ${lostKobo}::text as lost from harvests h
      where ${isSoldOut} and ${lostKobo} > 0 order by random() limit 1`,
  );
  if (!harvest) return null;
  const details = { what: "costs" as const, harvestId: harvest.id, lostKobo: harvest.lost };
  return planOf("ask for a second person", `lose ${harvest.id}/costs`, {}, ({ api }) =>
    api.secondPerson.ask.mutate({ kind: "lose", details, reason: "The feed cost more than the fish brought." }),
  );
}

/** Adds a file. Returns true if the server confirmed that it is there. */
async function addEvidence({ read }: Eyes, about: { harvestId: number; saleId?: number }): Promise<boolean> {
  const added = await read(async ({ api, uploadEvidence }) => {
    const fileId = await uploadEvidence();
    await api.harvests.addFile.mutate({ ...about, fileId });
    return true;
  });
  return added === true;
}
