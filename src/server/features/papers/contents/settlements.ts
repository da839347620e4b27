import { oneLine } from "#server/platform/text.ts";
import { formatDate } from "#shared/dates.ts";
import type { HarvestPool } from "#shared/harvests/texts.ts";
import { formatNairaExact, type Kobo, sumOf } from "#shared/money.ts";
import type { PaperContent, PaperTable } from "#shared/papers/texts.ts";
import { formatQuantity, formatRate, quantityText, type Unit } from "#shared/projects/terms-texts.ts";
import type { SiteProfile } from "#shared/site/site.ts";
import { issuedBy, left, nameOf, offText, right } from "./words.ts";

/** The contents of settlement statements (the calculation line by line, as on the screen) and of the list of tax withheld. */

export type SettledRow = {
  projectTitle: string;
  round: number;
  harvestNumber: number;
  isInsurance: boolean;
  unit: Unit;
  number: number;
  pool: HarvestPool;
  createdAt: Date;
  proceedsKobo: Kobo;
  costsKobo: Kobo;
  feeRate: number;
  vatRate: number;
  whtRate: number;
  /** The whole pool: the farm's part and everybody's. */
  whole: bigint;
};

export type SettledPart = {
  userId: string;
  fullName: string;
  weight: bigint;
  shareKobo: Kobo;
  feeKobo: Kobo;
  vatKobo: Kobo;
  whtKobo: Kobo;
  netKobo: Kobo;
  /** The part that isn't paid, because a payment of theirs was struck before it was sent. */
  struckKobo: Kobo;
  /** The part allotted to them; null for an insurer's sum. */
  allotted: AllottedPart | null;
};

/** The produce's worth is that of what was taken, without what was not collected in time. */
export type AllottedPart = {
  quantity: bigint;
  taken: bigint;
  uncollected: bigint;
  given: bigint;
  sold: bigint;
  produceKobo: Kobo;
};

const harvestWords = ({ isInsurance, harvestNumber, round }: SettledRow): string =>
  `${isInsurance ? "insurance" : "harvest"} ${harvestNumber} of round ${round}`;

function poolWords({ isInsurance, pool }: SettledRow): string {
  if (isInsurance) return "of the insurance";
  return pool === "sold" ? "of what was sold" : "of what nobody collected";
}

export function settlementContent(settled: SettledRow, part: SettledPart, site: SiteProfile): PaperContent {
  const { allotted } = part;
  return {
    title: "Settlement statement",
    facts: [
      { label: "For", value: nameOf(part.fullName) },
      { label: "Farm", value: `${oneLine(settled.projectTitle)}, ${harvestWords(settled)}` },
      { label: "Settlement", value: `${settled.number} ${poolWords(settled)}, ${formatDate(settled.createdAt)}` },
      issuedBy(site),
    ],
    tables: [...(allotted ? [allottedTable(settled, allotted)] : []), calculation(settled, part)],
    notes: ["We have owed you this sum since the day of the settlement. We pay it to the account you gave us."],
  };
}

function allottedTable({ unit }: SettledRow, allotted: AllottedPart): PaperTable {
  const { quantity, taken, uncollected, given, sold, produceKobo } = allotted;
  const produce = taken > 0n ? ` (worth ${formatNairaExact(produceKobo)} at the price used for estimates)` : "";
  return {
    heading: "Your share of the harvest",
    columns: [left("What happened to it"), right("Quantity")],
    rows: [
      [`Taken as produce${produce}`, formatQuantity(taken, unit)],
      ...(uncollected > 0n ? [["Not collected in time, sold for you", formatQuantity(uncollected, unit)]] : []),
      ["Donated", formatQuantity(given, unit)],
      ["Sold", formatQuantity(sold, unit)],
    ],
    sums: [["Your share", formatQuantity(quantity, unit)]],
  };
}

function calculation(settled: SettledRow, part: SettledPart): PaperTable {
  const { proceedsKobo, costsKobo, feeRate, vatRate, whtRate, whole, isInsurance, unit } = settled;
  const { shareKobo, feeKobo, vatKobo, whtKobo } = part;
  const share = isInsurance
    ? `Your share, by what you paid: ${formatNairaExact(part.weight)} of ${formatNairaExact(whole)}`
    : `Your share: ${quantityText(part.weight)} of ${formatQuantity(whole, unit)}`;
  const lines: (readonly [string, string] | false)[] = [
    [isInsurance ? "Paid by the insurer" : "Proceeds of the sales", formatNairaExact(proceedsKobo)],
    costsKobo > 0n && ["Costs under the terms", offText(costsKobo)],
    costsKobo > 0n && ["Left to divide", formatNairaExact(proceedsKobo - costsKobo)],
    [share, formatNairaExact(shareKobo)],
    !isInsurance && [`Our fee, ${formatRate(feeRate)} of your share`, offText(feeKobo)],
    vatKobo > 0n && [`VAT, ${formatRate(vatRate)} of our fee`, offText(vatKobo)],
    whtKobo > 0n && [`Tax withheld, ${formatRate(whtRate)} of your share`, offText(whtKobo)],
    part.struckKobo > 0n && ["Not paid, because your payment never stayed with us", offText(part.struckKobo)],
  ];
  return {
    heading: "How it was calculated",
    columns: [left("What"), right("Amount")],
    rows: lines.filter((line) => line !== false),
    sums: [["You get", formatNairaExact(part.netKobo - part.struckKobo)]],
  };
}

export type TaxRow = {
  at: Date;
  fullName: string;
  projectTitle: string;
  shareKobo: Kobo;
  whtRate: number;
  whtKobo: Kobo;
};

/** Tax withheld of settlements that stand, whose day is in the range. */
export function taxContent(range: string, rows: readonly TaxRow[], site: SiteProfile): PaperContent {
  const total = (of: (row: TaxRow) => Kobo) => formatNairaExact(sumOf(rows.map(of)));
  return {
    title: "Tax withheld",
    facts: [{ label: "Days", value: range }, issuedBy(site)],
    tables: [
      {
        heading: "Tax withheld of shares in harvests",
        columns: [left("Day"), left("Person"), left("Farm"), right("Share"), right("Rate"), right("Withheld")],
        rows: rows.map((row) => [
          formatDate(row.at),
          nameOf(row.fullName),
          oneLine(row.projectTitle),
          formatNairaExact(row.shareKobo),
          formatRate(row.whtRate),
          formatNairaExact(row.whtKobo),
        ]),
        sums: [["All", "", "", total(({ shareKobo }) => shareKobo), "", total(({ whtKobo }) => whtKobo)]],
      },
    ],
    notes: ["Settlements that were taken back are left out."],
  };
}
