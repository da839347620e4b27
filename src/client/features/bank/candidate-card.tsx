import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount } from "#client/lib/format.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import type { LinePart } from "#shared/bank/inputs.ts";
import { suggestionLabels } from "#shared/bank/texts.ts";
import { formatNairaExact } from "#shared/money.ts";
import type { Line } from "./bank-search.ts";
import { BookLoss } from "./book-loss.tsx";
import { harvestName } from "./harvest-choices.tsx";
import classes from "./line.module.css";
import { CameBack } from "./payout-choices.tsx";
import { showRefusal } from "./use-match-line.ts";

type Candidate = Line["candidates"][number];
type CandidateOf<Kind extends Candidate["kind"]> = Extract<Candidate, { kind: Kind }>;
/** Explains with a part at once, or adds it to the parts while a line is split. */
export type Choose = (part: LinePart, label: string) => Promise<void>;

/** A part with the words for it. */
export type LabelledPart = { part: LinePart; label: string };

type CandidateCardProps = {
  lineId: number;
  candidate: Candidate;
  verb: string;
  isPending: boolean;
  onChoose: Choose;
  /** Explains with all parts at once, or adds them to the parts while a line is split. */
  onChooseAll: (parts: LabelledPart[]) => Promise<void>;
  /** Fills them in as the parts of the line; null while it is split already. */
  onFillIn: ((parts: LabelledPart[]) => void) | null;
};

/** Shows one possible explanation of a line, its reason, and the button that confirms it. */
export function CandidateCard(props: CandidateCardProps) {
  const { lineId, candidate, verb, isPending, onChoose } = props;
  const { isSure, why, amountKobo, part } = candidate;
  const isAlarm = candidate.kind === "taken_back" || candidate.kind === "sale_taken_back";
  const { who, reference, about, marks, loss } = viewOf(candidate);
  const label = reference ? `${who}, ${reference}` : who;
  // Of one that left twice nothing is owed again, so nothing is asked.
  const asksWhy = candidate.kind === "returned" && !candidate.payout.isSecondOut;
  return (
    <li className={classes.choice} data-alarm={isAlarm || undefined} data-tone={isAlarm ? "negative" : undefined}>
      <div className={classes.choiceHead}>
        <span className={classes.who}>{who}</span>
        <span className="money">{formatNairaExact(amountKobo)}</span>
      </div>
      {about}
      <p className={classes.why}>{why}</p>
      <div className={classes.marks}>
        {isSure && <StatusBadge tone="positive">Sure</StatusBadge>}
        {marks}
      </div>
      {asksWhy && part?.kind === "returned" && (
        <CameBack
          reference={reference ?? ""}
          sentKobo={amountKobo}
          restKobo={part.amountKobo}
          isPending={isPending}
          onSay={(said) => onChoose({ ...part, ...said }, label)}
        />
      )}
      {part && !asksWhy && (
        <Button
          className={classes.act}
          size="sm"
          variant={isSure ? "filled" : "default"}
          disabled={isPending}
          aria-label={`${verb} ${label}`}
          onClick={() => void onChoose(part, label).catch(showRefusal)}
        >
          {verb}
        </Button>
      )}
      {candidate.kind === "split" && <ChooseSplit {...props} candidate={candidate} />}
      {loss && <BookLoss lineId={lineId} of={loss} reference={reference ?? ""} amountKobo={amountKobo} />}
    </li>
  );
}

function ChooseSplit({
  candidate,
  verb,
  isPending,
  onChooseAll,
  onFillIn,
}: CandidateCardProps & { candidate: CandidateOf<"split"> }) {
  const parts = candidate.parts.map(({ part, backerName, reference }) => ({
    part,
    label: `${backerName}, ${reference}`,
  }));
  return (
    <ButtonRow>
      <Button
        size="sm"
        disabled={isPending}
        aria-label={`${verb} all ${parts.length} parts`}
        onClick={() => void onChooseAll(parts).catch(showRefusal)}
      >
        {verb} all {parts.length}
      </Button>
      {onFillIn && (
        <Button variant="default" size="sm" disabled={isPending} onClick={() => onFillIn(parts)}>
          Change the parts
        </Button>
      )}
    </ButtonRow>
  );
}

type View = {
  /** The person whose money it would be, or a name for the explanation. */
  who: string;
  reference?: string;
  about?: ReactNode;
  marks?: ReactNode;
  /** The loss that two people may book instead. */
  loss?: Parameters<typeof BookLoss>[0]["of"];
};

/** Returns what the card shows of a candidate, by its kind. */
function viewOf(candidate: Candidate): View {
  switch (candidate.kind) {
    case "payment":
      return viewOfPayment(candidate);
    case "taken_back": {
      const view = viewOfPayment(candidate);
      const { backerName, projectTitle, reference, missingKobo, amountKobo } = candidate.payment;
      const alarm = <StatusBadge tone="negative">{suggestionLabels.taken_back}</StatusBadge>;
      return {
        who: backerName,
        reference,
        about: (
          <p>
            {projectTitle}, <span className="reference">{reference}</span>. {formatNairaExact(amountKobo - missingKobo)}{" "}
            of {formatNairaExact(amountKobo)} came.
          </p>
        ),
        marks: (
          <>
            {alarm}
            {view.marks}
          </>
        ),
        loss: { paymentId: candidate.payment.id },
      };
    }
    case "payout": {
      const { payout, isLateDebit } = candidate;
      const view = viewOfPayout(candidate);
      const marks = <PayoutBadge payout={payout} />;
      return {
        ...view,
        marks,
        ...(isLateDebit && { loss: { payoutId: payout.id, isSecond: payout.state !== "failed" } }),
      };
    }
    // "Paid" above the question whether it came back would deny it.
    case "returned":
      return viewOfPayout(candidate);
    case "payout_run": {
      const { id, payouts } = candidate.run;
      return { who: `Payment run ${id}`, about: <p>{formatCount(payouts, "payout")}</p> };
    }
    case "sale": {
      const { sale } = candidate;
      return {
        who: sale.buyer,
        about: (
          <p>
            {harvestName(sale)}. {formatNairaExact(sale.missingKobo)} of {formatNairaExact(sale.amountKobo)} missing.
          </p>
        ),
      };
    }
    case "sale_taken_back": {
      const { sale } = candidate;
      return {
        who: sale.buyer,
        about: <p>Sale of {harvestName(sale)}.</p>,
        marks: <StatusBadge tone="negative">{suggestionLabels.taken_back}</StatusBadge>,
      };
    }
    case "split":
      return {
        who: `Split into ${candidate.parts.length} parts`,
        about: (
          <ul className={classes.parts}>
            {candidate.parts.map(({ backerName, projectTitle, reference, part }) => (
              <li key={reference}>
                <span>
                  {backerName}, {projectTitle}, <span className="reference">{reference}</span>
                </span>
                <span className="money">{formatNairaExact(part.amountKobo)}</span>
              </li>
            ))}
          </ul>
        ),
      };
    case "purchase":
      return {
        who: candidate.backerName,
        reference: candidate.part.reference,
        marks: <StatusBadge tone="neutral">No receipt</StatusBadge>,
      };
    case "own_transfer":
    case "bank_charges":
      return { who: suggestionLabels[candidate.rule] };
  }
}

function viewOfPayment({ payment }: CandidateOf<"payment" | "taken_back">): View {
  const { backerName, projectTitle, reference, status } = payment;
  return {
    who: backerName,
    reference,
    about: (
      <p>
        {projectTitle}, {reference}. {formatNairaExact(payment.missingKobo)} of {formatNairaExact(payment.amountKobo)}{" "}
        missing.
      </p>
    ),
    marks: (
      <>
        {!payment.hasReceipt && <StatusBadge tone="neutral">No receipt</StatusBadge>}
        {status !== "pending" && (
          <StatusBadge tone={status === "approved" ? "positive" : "negative"}>
            {status === "approved" ? "Approved" : "Rejected"}
          </StatusBadge>
        )}
      </>
    ),
  };
}

function viewOfPayout({ payout }: CandidateOf<"payout" | "returned">): View {
  const { payeeName, projectTitle, reference, runId } = payout;
  return {
    who: payeeName,
    reference,
    about: (
      <p>
        {projectTitle}, <span className="reference">{reference}</span>
        {runId !== null && `, payment run ${runId}`}
      </p>
    ),
  };
}
