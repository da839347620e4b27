import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { useRequests } from "#client/shared-parts/open-requests.ts";
import { StatusBadge } from "#client/ui/feedback/status-badge.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { keptMatch, type LinePart, lineReasonInput } from "#shared/bank/inputs.ts";
import { bankLimits, lineMatchKindLabels, sentBackTexts } from "#shared/bank/texts.ts";
import { formatNairaExact, koboToNairaText } from "#shared/money.ts";
import { AskSecondOwner, useAloneOrAsk } from "./ask-second-owner.tsx";
import type { Account, Line } from "./bank-search.ts";
import { CandidateCard, type Choose, type LabelledPart } from "./candidate-card.tsx";
import { CounterLines, CreditSearch, PaymentSearch } from "./find-other.tsx";
import { HarvestSearch, harvestName, SaleCreditSearch, SaleSearch } from "./harvest-choices.tsx";
import classes from "./line.module.css";
import { PayoutSearch } from "./payout-choices.tsx";
import { PurchaseSearch } from "./purchase-choices.tsx";
import { ReleaseSearch } from "./release-choices.tsx";
import { type Draft, readPart, SplitLine } from "./split-line.tsx";
import { showRefusal, useMatchLine } from "./use-match-line.ts";

type ExplainLineProps = { line: Line; rest: bigint; accounts: readonly Account[] };

/** Lists the possible explanations for the rest of a line, and every way to explain it by hand. */
export function ExplainLine({ line, rest, accounts }: ExplainLineProps) {
  const { explain: explainAlone, isPending } = useMatchLine(line);
  const secondPerson = useAloneOrAsk();
  const explain = (parts: LinePart[]) =>
    secondPerson.act(
      () => explainAlone(parts),
      {
        kind: "match_line",
        details: keptMatch({ lineId: line.id, seenMatchedKobo: line.matchedKobo, parts }),
      },
      typedReasonOf(parts),
    );
  const isAsked = useRequests("match_line").has(String(line.id));
  const [drafts, setDrafts] = useState<Draft[] | null>(null);
  const lastId = useRef(0);
  const place = useRef<HTMLElement>(null);
  const left = rest - (drafts ?? []).reduce((sum, { typed }) => sum + (readPart(typed) ?? 0n), 0n);
  const draftOf = (part: LinePart, label: string, amount: bigint): Draft => {
    lastId.current += 1;
    return { id: lastId.current, part, label, typed: koboToNairaText(amount) };
  };
  const choose: Choose = async (part, label) => {
    if (drafts === null) return explain([part]);
    // Payouts leave as a whole, and mostly come back so.
    const isWhole = "payoutId" in part || "runId" in part;
    const amount = !isWhole && left > 0n && left < part.amountKobo ? left : part.amountKobo;
    setDrafts([...drafts, draftOf(part, label, amount)]);
  };
  const fillIn = (parts: LabelledPart[]) =>
    setDrafts([...(drafts ?? []), ...parts.map(({ part, label }) => draftOf(part, label, part.amountKobo))]);
  const chooseAll = async (parts: LabelledPart[]) => {
    if (drafts === null) return explain(parts.map(({ part }) => part));
    fillIn(parts);
  };
  if (secondPerson.question) {
    return (
      <section ref={place} className={classes.part} aria-label="To match" tabIndex={-1}>
        <h3>{formatNairaExact(rest)} to match</h3>
        <AskSecondOwner
          question={secondPerson.question}
          onDone={() => {
            secondPerson.forget();
            place.current?.focus();
          }}
        />
      </section>
    );
  }
  const verb = drafts === null ? "Choose" : "Add";
  // Parts that were filled in aren't offered a second time.
  const candidates = drafts?.length ? line.candidates.filter(({ kind }) => kind !== "split") : line.candidates;
  const amount = drafts === null || left <= 0n ? rest : left;
  return (
    <section ref={place} className={classes.part} aria-label="To match" tabIndex={-1}>
      <h3>{formatNairaExact(rest)} to match</h3>
      {isAsked && (
        <p>
          <StatusBadge tone="waiting">Another owner is asked what it is</StatusBadge>
        </p>
      )}
      {drafts && (
        <SplitLine
          drafts={drafts}
          rest={rest}
          left={left}
          isPending={isPending}
          onChange={setDrafts}
          onExplain={explain}
        />
      )}
      {line.candidates.length === 0 && (
        <p className={classes.why}>Nothing that we know of fits. Say below what it is.</p>
      )}
      {candidates.length > 0 && (
        <ul className={classes.choices} aria-label="Suggestions">
          {candidates.map((candidate, index) => (
            <CandidateCard
              // biome-ignore lint/suspicious/noArrayIndexKey: the suggestions are in their order.
              key={index}
              lineId={line.id}
              candidate={candidate}
              verb={verb}
              isPending={isPending}
              onChoose={choose}
              onChooseAll={chooseAll}
              onFillIn={drafts === null ? fillIn : null}
            />
          ))}
        </ul>
      )}
      <ByHand
        line={line}
        amount={amount}
        hasOthers={accounts.length > 1}
        isSplit={drafts !== null}
        isPending={isPending}
        onChoose={choose}
        onSplit={() => setDrafts([])}
      />
    </section>
  );
}

const typedReasonOf = (parts: readonly LinePart[]): string =>
  parts.flatMap((part) => ("reason" in part && part.reason ? part.reason : [])).join(" ");

type Way = "payment" | "purchase" | "payout" | "harvest" | "buyer" | "release" | "transfer" | "sender" | "operator";

/** The explanations of a debit that need no further facts. */
const atOnce = ["bank_charges", "vat", "wht"] as const;

type ByHandProps = {
  line: Line;
  /** The default amount of a part. */
  amount: bigint;
  hasOthers: boolean;
  isSplit: boolean;
  isPending: boolean;
  onChoose: Choose;
  onSplit: () => void;
};

/** The ways to say by hand what a line is; one is open at a time. */
function ByHand({ line, amount, hasOthers, isSplit, isPending, onChoose, onSplit }: ByHandProps) {
  const [way, setWay] = useState<Way | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const isIn = line.amountKobo > 0n;
  const button = (one: Way, label: string) => (
    <Button
      variant="default"
      size="sm"
      aria-expanded={one === way}
      onClick={({ currentTarget }) => {
        opener.current = currentTarget;
        setWay(one === way ? null : one);
      }}
    >
      {label}
    </Button>
  );
  // A form that has done its part goes, and the keyboard is on its button again.
  const close = () => {
    setWay(null);
    opener.current?.focus();
  };
  const choose: Choose = async (part, label) => {
    await onChoose(part, label);
    close();
  };
  const press = (part: LinePart, label: string) => void choose(part, label).catch(showRefusal);
  return (
    <>
      <h3>Something else</h3>
      <ButtonRow>
        {button("payment", isIn ? "Another payment" : "Reversed by the bank")}
        {isIn && button("purchase", "Somebody without a receipt")}
        {button("payout", isIn ? "A payout that came back" : "A payout")}
        {button("harvest", isIn ? "Sale of a harvest" : "Cost of a harvest")}
        {!isIn && button("buyer", lineMatchKindLabels.sale_taken_back)}
        {isIn && button("release", lineMatchKindLabels.farm_paid_back)}
        {isIn && button("sender", `${sentBackTexts.label}…`)}
        {hasOthers && button("transfer", "Between our bank accounts")}
        {!isIn &&
          atOnce.map((kind) => (
            <Button
              key={kind}
              variant="default"
              size="sm"
              disabled={isPending}
              onClick={() => press({ kind, amountKobo: amount }, lineMatchKindLabels[kind])}
            >
              {lineMatchKindLabels[kind]}
            </Button>
          ))}
        {button("operator", "The company's own money…")}
        {!isSplit && (
          <Button variant="default" size="sm" onClick={onSplit}>
            Split into parts
          </Button>
        )}
      </ButtonRow>
      {way === "payment" && isIn && (
        <PaymentSearch
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={({ id: paymentId, backerName, reference }) =>
            press({ kind: "payment", amountKobo: amount, paymentId }, `${backerName}, ${reference}`)
          }
        />
      )}
      {way === "purchase" && (
        <PurchaseSearch
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={({ reference, backerName }) =>
            press({ kind: "purchase", amountKobo: amount, reference }, `${backerName}, ${reference}`)
          }
        />
      )}
      {way === "payment" && !isIn && (
        <CreditSearch
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={({ paymentId, creditMatchId, standsKobo, backerName, reference }) =>
            press(
              { kind: "taken_back", amountKobo: standsKobo < amount ? standsKobo : amount, paymentId, creditMatchId },
              `${backerName}, ${reference}`,
            )
          }
        />
      )}
      {way === "payout" && (
        <PayoutSearch
          lineId={line.id}
          amountKobo={amount}
          isIn={isIn}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={({ id, amountKobo, payeeName, reference }) =>
            press({ kind: "payout", amountKobo, payoutId: id }, `${payeeName}, ${reference}`)
          }
          onCameBack={({ id, payeeName, reference }, said) =>
            choose({ kind: "returned", payoutId: id, ...said }, `${payeeName}, ${reference}`)
          }
        />
      )}
      {way === "harvest" && isIn && (
        <SaleSearch
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          amountKobo={amount}
          onChoose={({ id: saleId, missingKobo, buyer }, isRaised) => {
            const amountKobo = !isRaised && missingKobo < amount ? missingKobo : amount;
            press({ kind: "sale", amountKobo, saleId, ...(isRaised && { isRaised }) }, buyer);
          }}
        />
      )}
      {way === "buyer" && (
        <SaleCreditSearch
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={({ saleId, creditMatchId, standsKobo, buyer }) =>
            press(
              { kind: "sale_taken_back", amountKobo: standsKobo < amount ? standsKobo : amount, saleId, creditMatchId },
              `${lineMatchKindLabels.sale_taken_back}: ${buyer}`,
            )
          }
        />
      )}
      {way === "harvest" && !isIn && (
        <HarvestSearch
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={(harvest) =>
            press(
              { kind: "harvest_cost", amountKobo: amount, harvestId: harvest.id },
              `${lineMatchKindLabels.harvest_cost}: ${harvestName(harvest)}`,
            )
          }
        />
      )}
      {way === "release" && (
        <ReleaseSearch
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={({ id: releaseId, atFarmKobo, projectTitle }) =>
            press(
              { kind: "farm_paid_back", amountKobo: atFarmKobo < amount ? atFarmKobo : amount, releaseId },
              `${lineMatchKindLabels.farm_paid_back}: ${projectTitle}`,
            )
          }
        />
      )}
      {way === "transfer" && (
        <CounterLines
          lineId={line.id}
          verb={isSplit ? "Add" : "Choose"}
          isPending={isPending}
          onChoose={(other, otherRest) =>
            press(
              { kind: "own_transfer", amountKobo: otherRest < amount ? otherRest : amount, counterLineId: other.id },
              `Between our bank accounts: ${other.bankName}`,
            )
          }
        />
      )}
      {way === "sender" && (
        <InlineReason
          label={lineMatchKindLabels.sent_back}
          description={sentBackTexts.why}
          submitLabel={`${isSplit ? "Add" : "Send back"} ${formatNairaExact(amount)}`}
          schema={lineReasonInput}
          maxLength={bankLimits.reasonLength}
          onSubmit={(reason) =>
            choose({ kind: "sent_back", amountKobo: amount, reason }, lineMatchKindLabels.sent_back)
          }
          onCancel={close}
        />
      )}
      {way === "operator" && (
        <InlineReason
          label="The company's own money"
          description="Why it is none of the backers' money. Only for the company's own: capital, interest, fees withdrawn."
          submitLabel={`${isSplit ? "Add" : "Book"} ${formatNairaExact(amount)}`}
          schema={lineReasonInput}
          maxLength={bankLimits.reasonLength}
          onSubmit={(reason) => choose({ kind: "operator", amountKobo: amount, reason }, `Our own money: ${reason}`)}
          onCancel={close}
        />
      )}
    </>
  );
}
