import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { dayInLagos } from "#shared/dates.ts";
import { csvOf } from "#tests/support/bank-imports.ts";
import type { Truth } from "#tests/support/statement-files.ts";
import type { Eyes } from "./river.ts";

/** The bank of a run, which the product can't look into: it books what people transfer, and prints it. */

/** The true explanation of a line's money. */
export type Meaning =
  | { of: "payment"; reference: string }
  | { of: "payout"; payoutId: number }
  | { of: "returned payout"; payoutId: number }
  | { of: "sale"; saleId: number }
  | { of: "cost"; harvestId: number }
  | { of: "charges" }
  | { of: "own money" };

export type BankLine = Truth & { bankReference: string };

export interface Bank {
  /** Everything that it has booked, oldest first. */
  lines: readonly BankLine[];
  meaningOf(bankReference: string): Meaning | undefined;
  /** Books some of what people have a reason to transfer by now. */
  work(eyes: Eyes): Promise<void>;
  /** A statement to the last line, of the new ones and some of those before; null while nothing is booked. */
  print(eyes: Eyes): { from: number; to: number; content: Uint8Array<ArrayBuffer>; sha256: string } | null;
  /** The product has acknowledged all lines up to here. */
  acknowledge(to: number): void;
}

export function openBank(): Bank {
  // All of a run is one day, also if it lasts until midnight.
  const day = dayInLagos(new Date());
  const lines: BankLine[] = [];
  const meanings = new Map<string, Meaning>();
  const paidKobo = new Map<string, bigint>();
  const done = new Set<string>();
  let acknowledged = 0;

  const book = (amountKobo: bigint, narration: string, meaning: Meaning, times = 1) => {
    const bankReference = `S${String(lines.length + 1).padStart(6, "0")}`;
    meanings.set(bankReference, meaning);
    for (let n = 0; n < times; n += 1) lines.push({ date: day, valueDate: day, amountKobo, narration, bankReference });
  };
  const bookOnce = (amountKobo: bigint, narration: string, meaning: Meaning) => {
    const name = JSON.stringify(meaning);
    if (done.has(name)) return;
    done.add(name);
    book(amountKobo, narration, meaning);
  };

  async function bookPayments({ find, random }: Eyes): Promise<void> {
    const owing = await find<{ reference: string; kobo: string; name: string }>(sql`
      select reference, kobo::text, full_name as name from (
        select p.reference, p.amount_kobo as kobo, p.user_id from project_payments p where p.status <> 'rejected' or p.id % 4 = 0
        union all
        select r.reference, r.lots * r.lot_price_kobo, r.user_id from payment_references r
        where r.retired_at is null and r.lots is not null
          and not exists (select from project_payments p where p.reference = r.reference)
      ) owing join users u on u.id = owing.user_id order by random() limit 8`);
    for (const { reference, kobo, name } of owing) {
      const before = paidKobo.get(reference) ?? 0n;
      const missing = BigInt(kobo) - before;
      // Now and then somebody pays what is paid already.
      if (missing <= 0n && !random.chance(0.03)) continue;
      const sum = missing > 0n ? missing : 1_000_000n;
      const kind = random.weighted([
        ["exactly", 70],
        ["without reference", 6],
        ["a part", 8],
        ["too much", 14],
        ["less stamp duty", 8],
      ] as const);
      const paid = kind === "a part" ? sum / 2n : kind === "too much" ? sum + 250_000n : sum;
      const arrived = kind === "less stamp duty" && paid > 10_000n ? paid - 5_000n : paid;
      const written = kind === "without reference" ? `TRF FROM ${name}` : `NIP/ACCESS/${name}/${reference}`;
      paidKobo.set(reference, before + (kind === "less stamp duty" ? paid : arrived));
      book(arrived, written.toUpperCase(), { of: "payment", reference });
    }
  }

  async function bookPayouts({ find, random }: Eyes): Promise<void> {
    const sent = await find<{ id: number; reference: string; kobo: string }>(sql`
      select id::int, reference, amount_kobo::text as kobo from payouts where state in ('sent', 'paid')
      order by random() limit 6`);
    for (const { id: payoutId, reference, kobo } of sent) {
      const left: Meaning = { of: "payout", payoutId };
      if (!done.has(JSON.stringify(left))) bookOnce(-BigInt(kobo), `NIP/GONA FARMS/${reference}`, left);
      else if (random.chance(0.15))
        bookOnce(BigInt(kobo), `RVSL/NIP/${reference}`, { of: "returned payout", payoutId });
    }
  }

  async function bookHarvests({ find }: Eyes): Promise<void> {
    const sales = await find<{ id: number; buyer: string; kobo: string }>(sql`
      select id::int, buyer, amount_kobo::text as kobo from harvest_sales
      where removed_at is null and declared_at is null order by random() limit 4`);
    for (const { id: saleId, buyer, kobo } of sales)
      bookOnce(BigInt(kobo), `TRF FROM ${buyer}`, { of: "sale", saleId });
    const costs = await find<{ id: number; kobo: string }>(sql`
      select h.id::int, min(c.amount_kobo)::text as kobo from harvests h join harvest_costs c on c.harvest_id = h.id
      where c.paid_by = 'platform' and c.removed_at is null group by h.id order by random() limit 1`);
    for (const { id: harvestId, kobo } of costs) bookOnce(-BigInt(kobo), "TRF TO FEED MILL", { of: "cost", harvestId });
  }

  return {
    lines,
    meaningOf: (bankReference) => meanings.get(bankReference),
    async work(eyes) {
      await bookPayments(eyes);
      await bookPayouts(eyes);
      await bookHarvests(eyes);
      // Two that are alike to the letter are two.
      if (eyes.random.chance(0.5)) book(-5_000n, "SMS ALERT CHARGE", { of: "charges" }, 2);
      if (eyes.random.chance(0.1)) book(10_000_000n, "CAPITAL", { of: "own money" });
    },
    print({ random }) {
      const to = lines.length;
      if (to === 0) return null;
      let from = random.chance(0.1) ? 0 : Math.max(0, acknowledged - random.below(12));
      // A bank prints what is alike together.
      while (from > 0 && lines[from]?.bankReference === lines[from - 1]?.bankReference) from -= 1;
      const openingKobo = lines.slice(0, from).reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
      const content = Uint8Array.from(csvOf({ openingKobo, truths: lines.slice(from, to) }));
      return { from, to, content, sha256: createHash("sha256").update(content).digest("hex") };
    },
    acknowledge(to) {
      acknowledged = Math.max(acknowledged, to);
    },
  };
}
