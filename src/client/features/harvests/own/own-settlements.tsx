import { trpc } from "#client/lib/trpc.ts";
import { PaperButton } from "#client/shared-parts/paper-button.tsx";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact, type Kobo } from "#shared/money.ts";
import { ownStrikeTexts } from "#shared/payments/own-strikes-texts.ts";
import { formatQuantity, formatRate, quantityText } from "#shared/projects/terms-texts.ts";
import type { OwnHarvest } from "./own-harvest-words.ts";
import classes from "./own-settlements.module.css";

type OwnSettlement = OwnHarvest["settlements"][number];

/** The reader's share of each settlement of a harvest, line by line. */
export function OwnSettlements({ harvest }: { harvest: OwnHarvest }) {
  const { settlements } = harvest;
  if (settlements.length === 0) return null;
  const totalKobo = settlements.reduce((sum, { mine }) => sum + mine.netKobo - mine.struckKobo, 0n);
  return (
    <div className={classes.settlements}>
      {settlements.map((settlement) => (
        <Calculation key={settlement.id} harvest={harvest} settlement={settlement} />
      ))}
      {settlements.length > 1 && (
        <p className={classes.total}>
          <span>All settlements together</span>
          <strong className="money">{formatNairaExact(totalKobo)}</strong>
        </p>
      )}
      {totalKobo > 0n && (
        <p>
          <TextLink to="/profile" search={{ tab: "money" }}>
            See when we pay you
          </TextLink>
        </p>
      )}
    </div>
  );
}

type Line = { what: string; kobo: Kobo; isOff?: boolean; isSum?: boolean };

function linesOf(harvest: OwnHarvest, settlement: OwnSettlement): Line[] {
  const { proceedsKobo, costsKobo, feeRate, vatRate, whtRate, whole, mine } = settlement;
  const { isInsurance, unit } = harvest;
  const part = isInsurance
    ? `Your share, by what you paid: ${formatNairaExact(mine.weight)} of ${formatNairaExact(whole)}`
    : `Your share: ${quantityText(mine.weight)} of ${formatQuantity(whole, unit)}`;
  const lines: (Line | false)[] = [
    { what: isInsurance ? "Paid by the insurer" : "Proceeds of the sales", kobo: proceedsKobo },
    costsKobo > 0n && { what: "Costs under the terms", kobo: costsKobo, isOff: true },
    costsKobo > 0n && { what: "Left to divide", kobo: proceedsKobo - costsKobo, isSum: true },
    { what: part, kobo: mine.shareKobo },
    !isInsurance && { what: `Our fee, ${formatRate(feeRate)} of your share`, kobo: mine.feeKobo, isOff: true },
    mine.vatKobo > 0n && { what: `VAT, ${formatRate(vatRate)} of our fee`, kobo: mine.vatKobo, isOff: true },
    mine.whtKobo > 0n && {
      what: `Tax withheld, ${formatRate(whtRate)} of your share`,
      kobo: mine.whtKobo,
      isOff: true,
    },
    mine.struckKobo > 0n && { what: "Your part", kobo: mine.netKobo, isSum: true },
    mine.struckKobo > 0n && { what: ownStrikeTexts.notPaid, kobo: mine.struckKobo, isOff: true },
    { what: "You get", kobo: mine.netKobo - mine.struckKobo, isSum: true },
  ];
  return lines.filter((line) => line !== false);
}

function Calculation({ harvest, settlement }: { harvest: OwnHarvest; settlement: OwnSettlement }) {
  const utils = trpc.useUtils();
  const { id, number, pool, createdAt } = settlement;
  const of = harvest.isInsurance
    ? "of the insurance"
    : pool === "sold"
      ? "of what was sold"
      : "of what nobody collected";
  return (
    <>
      <table className={classes.calculation}>
        <caption>
          Settlement {number} {of}, {formatDate(createdAt)}
        </caption>
        <tbody>
          {linesOf(harvest, settlement).map(({ what, kobo, isOff, isSum }) => (
            <tr key={what} data-sum={isSum || undefined}>
              <th scope="row">{what}</th>
              <td className="money">{`${isOff && kobo > 0n ? "−" : ""}${formatNairaExact(kobo)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {settlement.mine.netKobo > 0n && (
        <p>
          <PaperButton
            label="Settlement statement"
            name={`of settlement ${number} ${of}`}
            find={() => utils.papers.find.fetch({ kind: "settlement", id })}
          />
        </p>
      )}
    </>
  );
}
