import { randomUUID } from "node:crypto";
import { submitReceipt } from "#server/features/payments/buying/receipts.ts";
import { beginPurchase, openPaymentPage } from "#server/features/payments/buying/service.ts";
import { setPaymentStatus } from "#server/features/payments/review/service.ts";
import { grantBacking } from "#server/features/projects/backings/service.ts";
import { sweepHolds } from "#server/features/projects/holds/jobs.ts";
import { joinWaitingList } from "#server/features/projects/holds/own-hold.ts";
import { formatDate } from "#shared/dates.ts";
import { hourMs } from "#shared/lagos-time.ts";
import { formatNaira, nairaToKobo } from "#shared/money.ts";
import type { Bank } from "./seed-bank.ts";
import { byTwoOwners, type Office, type Person, type SeededFarm, type Step } from "./seed-office.ts";
import { demoPdf } from "./seed-papers.ts";

/** The demo's purchases, holds and waiting lists, and the backings that are granted. */

type Purchase = { farm: SeededFarm; user: Person; lots: number; daysAgo: number };
/** A bought one is shown by the next statement; a sent one waits for an owner, or is rejected for a reason. */
type DemoPayment = Purchase & ({ end: "bought" | "sent" } | { end: "rejected"; reason: string });

/** Farms whose updates, media and messages the demo backer follows. */
export const followedOf = (farms: SeededFarm[]) =>
  farms.filter((farm) => !farm.isClosed && farm.lotsSold > 0 && farm.updates.length >= 6).slice(0, 2);

/** How many lots one person buys after the other: of farms that are sold out by many, so that a harvest has many parts. */
const purchaseSizes = { open: [8, 14, 4, 20, 10, 16, 6, 18, 12], soldOut: [4, 7, 2, 10, 5, 8, 3, 12, 6] };

/** Purchases of open farms are older, so that a statement shows them. */
const latestPaidDaysAgo = 2.4;

/** The part of the time between two purchases that a farm waits for its first. */
const firstPart = 0.25;

/** The purchases of a farm's sold lots, from its start to its last lot or until lately; the first is of the first buyer. */
function planBought(farm: SeededFarm, index: number, buyers: Person[]): DemoPayment[] {
  const usual = purchaseSizes[farm.isClosed ? "soldOut" : "open"];
  const sizes: number[] = [];
  for (let left = farm.lotsSold; left > 0; left -= sizes.at(-1) ?? left) {
    sizes.push(Math.min(left, usual[(index + sizes.length) % usual.length] ?? 1));
  }
  const { startedDaysAgo } = farm;
  const closedDaysAgo = farm.isGivenBack
    ? startedDaysAgo - farm.durationDays
    : (farm.closedDaysAgo ?? latestPaidDaysAgo);
  const daysBetween = (startedDaysAgo - closedDaysAgo) / ((sizes.length - 1 || 1) + firstPart);
  return sizes.map((lots, turn) => {
    const daysAgo = startedDaysAgo - daysBetween * (turn + firstPart);
    return { farm, user: buyers[turn] as Person, lots, daysAgo, end: "bought" };
  });
}

/** The farms with something special about them, by their slugs. */
const special = {
  /** By the demo backer, beside two that they follow. */
  backed: ["layer-poultry", "oyster-mushroom-house", "broiler-house", "farm-school-classroom", "cashew-agroforestry"],
  pending: ["community-cassava", "womens-market-garden", "tractor-hire", "catfish-ponds"],
  rejected: [
    { slug: "rice-thresher", reason: "The receipt is cut off: the amount can't be read." },
    { slug: "turkey-range", reason: "The transfer has not arrived on our account." },
  ],
  pendingOfBacker: "hydroponic-lettuce",
  /** Its receipt waits for longer than was promised. */
  lateOfBacker: "solar-tomato-greenhouse",
  rejectedOfBacker: "forest-honey",
  heldByBacker: "goat-herd",
  /** Its one lot. */
  heldByOther: "ugu-vegetable-beds",
  /** Its last lots, and others wait for them. */
  waitedFor: "snail-pens",
  granted: ["dairy-cows", "organic-ginger"],
} as const;

/** Plans the payments for each farm, some pending and rejected ones, and the demo backer's. */
function planPayments({ farms, farmOf, backer, people }: Office): DemoPayment[] {
  const person = (index: number) => people[(index * 7) % people.length] as Person;
  const backed = [...followedOf(farms), ...special.backed.map(farmOf)];
  const buyersOf = (farm: SeededFarm, index: number) => [
    ...(backed.includes(farm) ? [backer] : []),
    ...people.map((_, offset) => people[(index * 5 + offset) % people.length] as Person),
  ];
  return [
    ...farms.flatMap((farm, index) => planBought(farm, index, buyersOf(farm, index))),
    ...special.pending.map((slug, index): DemoPayment => {
      const daysAgo = 0.2 + index * 0.4;
      return { farm: farmOf(slug), user: person(index + 11), lots: index + 1, daysAgo, end: "sent" };
    }),
    ...special.rejected.map(({ slug, reason }, index): DemoPayment => {
      const user = person(index + 15);
      return { farm: farmOf(slug), user, lots: 1, daysAgo: 3 - index, end: "rejected", reason };
    }),
    { farm: farmOf(special.pendingOfBacker), user: backer, lots: 2, daysAgo: 0.1, end: "sent" },
    { farm: farmOf(special.lateOfBacker), user: backer, lots: 3, daysAgo: 6.2, end: "sent" },
    {
      farm: farmOf(special.rejectedOfBacker),
      user: backer,
      lots: 1,
      daysAgo: 6,
      end: "rejected",
      reason: "The receipt shows another amount.",
    },
  ];
}

/** How long after a rejection its lots are free again. */
const freeAfterDays = 1.1;

/** The purchases of the demo's past, each with a receipt, and what was decided on them. */
export const planPurchases = (office: Office, bank: Bank): Step[] =>
  planPayments(office).flatMap((payment): Step[] => {
    const [at, freed] = [office.ago(payment.daysAgo), office.ago(payment.daysAgo - freeAfterDays)];
    const run = async () => {
      const { lots, user, farm } = payment;
      await holdLots(office, at, { farm, user, lots });
      const sent = await sendReceipt(office, at, { farm, user, lots });
      if (payment.end === "bought") expectPayment(office, bank, { at, payment: sent, user });
      if (payment.end !== "rejected") return;
      const seen = { paymentId: sent.paymentId, seenStatus: "pending" as const, seenReceiptSha256: sent.sha256 };
      await setPaymentStatus(office.as("owner", at), { ...seen, status: "rejected", reason: payment.reason });
    };
    const free = () => sweepHolds(office.as("owner", freed));
    return [{ at, run }, ...(payment.end === "rejected" ? [{ at: freed, run: free }] : [])];
  });

type Wanted = Pick<Purchase, "farm" | "user" | "lots">;

async function holdLots(office: Office, at: Date, { farm, user, lots }: Wanted): Promise<void> {
  const { projectId } = farm;
  const ctx = office.asPerson(user, at);
  const { siteTerms } = await openPaymentPage(ctx, { projectId });
  await beginPurchase(ctx, { projectId, lots, termsVersion: 1, siteTerms: siteTerms.sha256, hasReadTerms: true });
}

/** A payment whose receipt was sent, and the receipt's hash. */
type SentPayment = Awaited<ReturnType<typeof submitReceipt>> & { sha256: string };

async function sendReceipt(office: Office, at: Date, { farm, user, lots }: Wanted): Promise<SentPayment> {
  const receipt = demoPdf({
    title: "Transfer receipt",
    rows: [
      ["From", user.fullName],
      ["Amount", formatNaira((nairaToKobo(farm.goalNaira) / BigInt(farm.lots)) * BigInt(lots)).replace("₦", "NGN ")],
      ["For", farm.title],
      ["Date", formatDate(at)],
    ],
  });
  const { key, sha256 } = await office.storeFile(receipt, "receipt");
  const described = { contentType: "application/pdf", originalName: "transfer-receipt.pdf" };
  const reply = await submitReceipt(office.asPerson(user, at), {
    projectId: farm.projectId,
    lots,
    idempotencyKey: randomUUID(),
    file: { key, sha256, bytes: receipt.length, ...described },
  });
  return { ...reply, sha256 };
}

/** A backer's transfer that the next statement shows, and that an owner approves then. */
function expectPayment(
  office: Office,
  bank: Bank,
  { at, payment, user }: { at: Date; payment: SentPayment; user: Person },
): void {
  const { paymentId, reference, amountKobo, sha256: seenReceiptSha256 } = payment;
  bank.expected.push({
    at,
    kobo: amountKobo,
    narration: `NIP/ACCESS/${user.fullName.toUpperCase()}/${reference}`,
    part: { kind: "payment", amountKobo, paymentId },
    rule: "our_reference",
    onSeen: async (seenAt) => {
      const seen = { paymentId, seenStatus: "pending" as const, seenReceiptSha256 };
      await setPaymentStatus(office.as("owner", seenAt), { ...seen, status: "approved" });
    },
  });
}

/** Lots that are held without a receipt yet, people who wait for some, and backings without a lot, one with a weight. */
export function planOpenAffairs(office: Office): Step[] {
  const { now, farmOf, backer } = office;
  const [first, second, third, ...waiting] = office.people.slice(-7);
  if (!first || !second || !third) throw new Error("the demo has too few people");
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const hold = (hours: number, slug: string, user: Person, lots: number): Step => {
    const at = hoursAgo(hours);
    return { at, run: () => holdLots(office, at, { farm: farmOf(slug), user, lots }) };
  };
  const granted = office.ago(9);
  const grant = async (slug: string, { id: userId }: Person) => {
    const { projectId } = farmOf(slug);
    await grantBacking(office.as("owner", granted), { projectId, userId });
    return { projectId, userId, round: 1 };
  };
  const [weighed, plain] = special.granted;
  return [
    hold(1, special.heldByBacker, backer, 2),
    hold(3, special.heldByOther, first, 1),
    hold(5, special.waitedFor, second, 2),
    ...waiting.map((user, index): Step => {
      const at = hoursAgo(waiting.length - index);
      const lots = index === 1 ? 2 : 1;
      const join = () => {
        const { projectId } = farmOf(special.waitedFor);
        return joinWaitingList(office.asPerson(user, at), { projectId, lots });
      };
      return { at, run: join };
    }),
    {
      at: granted,
      run: async () => {
        const weight = { weightKobo: String(nairaToKobo(200_000)), seenKobo: "0" };
        const details = { ...(await grant(weighed, first)), ...weight };
        const reason = "Gave the land for the milking floor.";
        await byTwoOwners(office, granted, { kind: "set_weight", details, reason });
        await grant(plain, third);
      },
    },
  ];
}
