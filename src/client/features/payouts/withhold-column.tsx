import { Button } from "@mantine/core";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatNaira } from "#shared/money.ts";
import { payeeOf, referenceOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout } from "./payouts-search.ts";

/** Keeps an open payout out of runs, or asks another owner to let it go again. */
export function withholdColumn(requests: ReadonlySet<string>, onChoose: (payout: Payout) => void): Column<Payout> {
  return {
    header: "Withhold",
    width: "10rem",
    inCard: "wide",
    render: (payout) => {
      const what = `${formatNaira(payout.amountKobo)} for ${payeeOf(payout)}, ${referenceOf(payout)}`;
      const isWithheld = payout.withheldReason !== null;
      return (
        <span className={classes.cell}>
          {isWithheld && <span>Withheld: {payout.withheldReason}</span>}
          {requests.has(String(payout.id)) ? (
            <StatusBadge tone="waiting">Another owner is asked</StatusBadge>
          ) : (
            <Button
              variant="default"
              size="sm"
              aria-label={isWithheld ? `Let go: ${what}` : `Withhold ${what}`}
              onClick={() => onChoose(payout)}
            >
              {isWithheld ? "Let go…" : "Withhold…"}
            </Button>
          )}
        </span>
      );
    },
  };
}
