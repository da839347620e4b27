import { and, asc, eq, isNotNull } from "drizzle-orm";
import { harvestParts, harvestSales, harvests } from "#server/db/schema/harvests.ts";
import { allotIfDue } from "#server/features/harvests/choosing/allotment.ts";
import { choose } from "#server/features/harvests/choosing/choose.ts";
import { collectProduce } from "#server/features/harvests/choosing/collection.ts";
import { allotHarvest } from "#server/features/harvests/choosing/current-shares.ts";
import { openHarvest } from "#server/features/harvests/choosing/open.ts";
import { addHarvestFile } from "#server/features/harvests/harvest-files.ts";
import { readTerms } from "#server/features/harvests/harvest-rows.ts";
import { addCost } from "#server/features/harvests/selling/costs.ts";
import { addSale } from "#server/features/harvests/selling/sales.ts";
import { createHarvest, createInsurance } from "#server/features/harvests/service.ts";
import { finishHarvest } from "#server/features/harvests/settling/finish.ts";
import { readPoolProceeds } from "#server/features/harvests/settling/pool.ts";
import { settleHarvest } from "#server/features/harvests/settling/settle.ts";
import { askSecondPerson } from "#server/features/second-person/service.ts";
import { keepDocument } from "#server/files/documents.ts";
import type { ActorContext } from "#server/platform/context.ts";
import { createHarvestInput } from "#shared/harvests/inputs.ts";
import { lastSecondOfDay } from "#shared/lagos-time.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import { defaultTerms } from "#shared/projects/terms-texts.ts";
import type { DemoPaper, DemoSeason } from "./demo-data.ts";
import type { Bank } from "./seed-bank.ts";
import { confirmAsSecond, type Office, type Step } from "./seed-office.ts";
import { demoPdf } from "./seed-papers.ts";

/** The demo's harvests, each as far as it has come. */

const round = 1;
const minuteMs = 60_000;
const unit = 1000n;
type DemoHarvest = DemoSeason["harvests"][number];

/** A PDF that somebody has uploaded as evidence. */
export async function uploadPaper({ storeFile }: Office, ctx: ActorContext, paper: DemoPaper): Promise<string> {
  const bytes = demoPdf(paper);
  const described = { bytes: bytes.length, contentType: "application/pdf", originalName: `${paper.title}.pdf` };
  return keepDocument(ctx, { ...(await storeFile(bytes, "evidence")), ...described });
}

/** The steps of all harvests. A step after `now` is left out: it hasn't happened. */
export const planHarvests = (office: Office, bank: Bank, { harvests: all }: DemoSeason): Step[] =>
  all.flatMap((harvest) => planHarvest(office, bank, harvest)).filter(({ at }) => at <= office.now);

function planHarvest(office: Office, bank: Bank, harvest: DemoHarvest): Step[] {
  const { ago } = office;
  let harvestId = 0;
  const step = (at: Date, run: (ctx: ActorContext) => Promise<void>): Step => ({
    at,
    run: () => run(office.as("owner", at)),
  });
  const on = (daysAgo: number | undefined, run: (ctx: ActorContext) => Promise<void>): Step[] =>
    daysAgo === undefined ? [] : [step(ago(daysAgo), run)];
  const opened = ago(harvest.openedDaysAgo);
  const allotted = new Date(lastSecondOfDay(opened, defaultTerms(0).choiceDays).getTime() + minuteMs);
  return [
    step(opened, async (ctx) => {
      harvestId = await beginHarvest(office, ctx, harvest);
    }),
    step(new Date(opened.getTime() + 30 * minuteMs), (ctx) => chooseAll(office, ctx, { harvestId, harvest })),
    step(allotted, (ctx) => allotIfDue(ctx, harvestId)),
    ...on(harvest.collectedDaysAgo, (ctx) => handOver(ctx, harvestId)),
    ...harvest.costs.flatMap((cost) =>
      on(cost.daysAgo, async (ctx) => {
        const { label, naira, narration } = cost;
        const amount = nairaToKobo(naira);
        const paper = {
          title: "Invoice",
          rows: [
            ["For", label],
            ["Amount", formatNaira(amount).replace("₦", "NGN ")],
          ],
        };
        const fileId = await uploadPaper(office, ctx, paper as DemoPaper);
        await addCost(ctx, { harvestId, label, amount, paidBy: "platform", fileId });
        const part = { kind: "harvest_cost" as const, amountKobo: amount, harvestId };
        bank.expected.push({ at: ctx.clock.now(), kobo: -amount, narration, part });
      }),
    ),
    ...harvest.sales.flatMap((sale, index) =>
      on(sale.daysAgo, (ctx) => sellPart(bank, ctx, { harvestId, sale, isLast: index === harvest.sales.length - 1 })),
    ),
    ...on(harvest.settledDaysAgo, (ctx) => settleAll(office, ctx, harvestId)),
    ...on(harvest.doneDaysAgo, (ctx) => finishHarvest(ctx, { harvestId })),
  ];
}

async function beginHarvest(office: Office, ctx: ActorContext, harvest: DemoHarvest): Promise<number> {
  const { projectId } = office.farmOf(harvest.farm);
  const { quantity, lost: lostQuantity, price: referencePrice, note, photo } = harvest;
  const typed = { projectId, round, quantity, lostQuantity, referencePrice, note };
  const { harvestId } = await createHarvest(ctx, createHarvestInput.parse(typed));
  if (photo) await addHarvestFile(ctx, { harvestId, fileId: await uploadPaper(office, ctx, photo) });
  await openHarvest(ctx, { harvestId, seenAt: ctx.clock.now() });
  return harvestId;
}

type Chosen = { harvestId: number; harvest: DemoHarvest };

/** Whole units only: nobody takes a part of a crate. */
const partOf = (quantity: bigint, percent: number): bigint => ((quantity * BigInt(percent)) / 100n / unit) * unit;

async function chooseAll(office: Office, ctx: ActorContext, { harvestId, harvest }: Chosen): Promise<void> {
  const { tx, backer, people } = office;
  const [row] = await tx.select().from(harvests).where(eq(harvests.id, harvestId));
  if (!row) throw new Error("the demo's harvest is gone");
  const owners = new Map([backer, ...people].map((person) => [person.id, person]));
  const parts = await tx.select().from(harvestParts).where(eq(harvestParts.harvestId, harvestId));
  const userOf = new Map(parts.map(({ backingId, userId }) => [backingId, userId]));
  const { others, backer: ofBacker } = harvest.choices;
  let turn = 0;
  for (const { backingId, quantity } of (await allotHarvest(tx, row, await readTerms(tx, row))).rows) {
    const person = owners.get(userOf.get(backingId) ?? "");
    if (!person) continue;
    const chosen = person === backer ? ofBacker : others[turn++ % others.length];
    if (!chosen) continue;
    const [taken, given] = [partOf(quantity, chosen.take), partOf(quantity, chosen.give)];
    await choose(office.asPerson(person, ctx.clock.now()), { harvestId, taken, given });
  }
}

/** Everybody comes with their code. */
async function handOver(ctx: ActorContext, harvestId: number): Promise<void> {
  const ready = and(eq(harvestParts.harvestId, harvestId), isNotNull(harvestParts.code));
  const parts = await ctx.db.select().from(harvestParts).where(ready).orderBy(asc(harvestParts.backingId));
  for (const { code } of parts) await collectProduce(ctx, { harvestId, code: code ?? "" });
}

type Sold = { harvestId: number; sale: DemoHarvest["sales"][number]; isLast: boolean };

/** Somebody buys a part of what is for sale, or the rest of it, and the money comes with the next statement. */
async function sellPart(bank: Bank, ctx: ActorContext, { harvestId, sale, isLast }: Sold): Promise<void> {
  const [harvest] = await ctx.db.select().from(harvests).where(eq(harvests.id, harvestId));
  const parts = await ctx.db.select().from(harvestParts).where(eq(harvestParts.harvestId, harvestId));
  const earlier = await ctx.db.select().from(harvestSales).where(eq(harvestSales.harvestId, harvestId));
  const forSale = parts.reduce((sum, { sold }) => sum + (sold ?? 0n), harvest?.farmQuantity ?? 0n);
  const left = earlier.reduce((rest, { quantity }) => rest - (quantity ?? 0n), forSale);
  const quantity = isLast ? left : partOf(forSale, sale.percent);
  const amount = (quantity * nairaToKobo(sale.price)) / unit;
  const { buyer } = sale;
  await addSale(ctx, { harvestId, pool: "sold", buyer, quantity, amount });
  await expectSale(bank, ctx, { harvestId, at: ctx.clock.now(), narration: `TRF FROM ${buyer.toUpperCase()}` });
}

type Paid = { harvestId: number; at: Date; narration: string };

/** The money of the newest sale of a harvest comes at that moment. */
async function expectSale(bank: Bank, ctx: ActorContext, { harvestId, at, narration }: Paid): Promise<void> {
  const isOf = eq(harvestSales.harvestId, harvestId);
  const sale = (await ctx.db.select().from(harvestSales).where(isOf).orderBy(asc(harvestSales.id))).at(-1);
  if (!sale) throw new Error("the demo's sale was not written");
  const { id: saleId, amountKobo } = sale;
  bank.expected.push({ at, kobo: amountKobo, narration, part: { kind: "sale", amountKobo, saleId } });
}

/** The other owner settles what one wrote down. */
async function settleAll(office: Office, ctx: ActorContext, harvestId: number): Promise<void> {
  const amount = await readPoolProceeds(ctx.db, harvestId, "sold");
  await settleHarvest(office.as("second", ctx.clock.now()), { harvestId, pool: "sold", amount });
}

/** Harvests that were lost, and what the insurer paid for them. */
export const planLosses = (office: Office, bank: Bank, { losses }: DemoSeason): Step[] =>
  losses.flatMap(({ farm, note, paper, reason, insurance, ...days }): Step[] => {
    const { ago } = office;
    let [harvestId, insuranceId] = [0, 0];
    const on = (daysAgo: number, run: (ctx: ActorContext) => Promise<void>): Step => {
      const at = ago(daysAgo);
      return { at, run: () => run(office.as("owner", at)) };
    };
    const { insurer: buyer } = insurance;
    return [
      on(days.foundDaysAgo, async (ctx) => {
        const { projectId } = office.farmOf(farm);
        const nothing = { quantity: 0n, lostQuantity: 0n, referencePrice: nairaToKobo(1) };
        ({ harvestId } = await createHarvest(ctx, { projectId, round, ...nothing, note }));
        await addHarvestFile(ctx, { harvestId, fileId: await uploadPaper(office, ctx, paper) });
        await askSecondPerson(ctx, { kind: "lose", details: { what: "harvest", harvestId, lostKobo: "0" }, reason });
      }),
      on(days.lostDaysAgo, (ctx) => confirmAsSecond(office, ctx.clock.now(), "lose")),
      on(insurance.claimedDaysAgo, async (ctx) => {
        const { projectId } = office.farmOf(farm);
        ({ harvestId: insuranceId } = await createInsurance(ctx, { projectId, round, note: insurance.note }));
        const amount = nairaToKobo(insurance.naira);
        await addSale(ctx, { harvestId: insuranceId, pool: "sold", buyer, quantity: null, amount });
        const paid = { at: ago(insurance.paidDaysAgo), narration: `TRF FROM ${buyer.toUpperCase()} CLAIM` };
        await expectSale(bank, ctx, { harvestId: insuranceId, ...paid });
      }),
      on(insurance.settledDaysAgo, (ctx) => settleAll(office, ctx, insuranceId)),
    ];
  });
