import type { ReactNode } from "react";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import type { Column } from "#client/ui/lists/data-table.tsx";
import { formatNairaExact } from "#shared/money.ts";
import { payoutRunTexts as texts } from "#shared/payouts/runs-texts.ts";
import { accountColumn, payeeColumn, referenceOf } from "./payout-cells.tsx";
import classes from "./payouts.module.css";
import type { Payout, Run } from "./payouts-search.ts";

/** The same words as in the lists' columns. */
const cellOf = ({ render }: Column<Payout>, line: Payout): ReactNode => render(line);

/**
 * True if whoever signs should look at a line's account: it is new or was changed, or its name or number is unusual.
 */
const needsReview = ({ account, hindrance }: Payout): boolean =>
  hindrance !== null ||
  (account !== null && (account.isNameUnlike || account.isNumberUnusual || account.isNew || account.isChanged));

/** A run's lines with their sum. Before it is sent, the lines to look at stand first. */
export function RunLines({ run }: { run: Run }) {
  const isToSend = run.state === "draft" || run.state === "approved";
  const marked = isToSend ? run.lines.filter(needsReview) : [];
  const groups = [
    { title: `Look at these first: ${texts.count(marked.length)}`, lines: marked },
    { title: "The others", lines: run.lines.filter((line) => !marked.includes(line)) },
  ].filter(({ lines }) => lines.length > 0);
  return (
    <section className={classes.part} aria-labelledby="run-lines">
      <h3 id="run-lines">{run.state === "void" ? "What it would have paid" : "What it pays"}</h3>
      <table className={classes.runLines}>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Account</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        {groups.map(({ title, lines }) => (
          <tbody key={title}>
            {marked.length > 0 && (
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  {title}
                </th>
              </tr>
            )}
            {lines.map((line) => (
              <RunLine key={line.id} line={line} isToSend={isToSend} />
            ))}
          </tbody>
        ))}
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Sum of {texts.count(run.payouts)}
            </th>
            <td className="money">{formatNairaExact(run.totalKobo)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function RunLine({ line, isToSend }: { line: Payout; isToSend: boolean }) {
  return (
    <tr data-marked={(isToSend && needsReview(line)) || undefined}>
      <td>
        {cellOf(payeeColumn, line)}
        <p className={classes.lineFoot}>
          <span className="reference">{referenceOf(line)}</span>
          {(!isToSend || line.isOverdue) && <PayoutBadge payout={line} />}
        </p>
      </td>
      <td>
        {cellOf(accountColumn, line)}
        {line.hindrance !== null && isToSend && (
          <StatusBadge tone="negative">
            {line.hindrance === "replaced" ? "The account was changed since" : "Can't be paid to now"}
          </StatusBadge>
        )}
      </td>
      <td className="money">{formatNairaExact(line.amountKobo)}</td>
    </tr>
  );
}
