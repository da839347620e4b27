import "#client/ui/mantine/fields.css";
import { Button, Checkbox } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { useInlineForm } from "#client/ui/forms/use-inline-form.ts";
import { returnReasonInput } from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts, payoutLineTexts as texts } from "#shared/bank/texts.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./line.module.css";
import { showRefusal } from "./use-match-line.ts";

type Payout = RouterOutputs["bank"]["payouts"][number];

/** The facts of a payout that came back. The reason may be empty. */
export type ReturnedPayoutFacts = { amountKobo: bigint; reason: string; isAccountWrong: boolean };

type CameBackProps = {
  /** The payout's reference, and what was sent. */
  reference: string;
  sentKobo: bigint;
  /** The most that may have come back: less than was sent where the bank kept charges. */
  restKobo: bigint;
  isPending: boolean;
  /** Says that the line shows it coming back. */
  onSay: (said: ReturnedPayoutFacts) => Promise<unknown>;
};

/** Asks first whether the account stays in use, and why the payout came back, which its payee reads. */
export function CameBack({ reference, sentKobo, restKobo, isPending, onSay }: CameBackProps) {
  const form = useInlineForm();
  const [isAccountWrong, setIsAccountWrong] = useState(false);
  const amountKobo = restKobo < sentKobo ? restKobo : sentKobo;
  if (!form.isOpen) {
    return (
      <Button
        ref={form.opener}
        className={classes.act}
        variant="default"
        size="sm"
        disabled={isPending}
        aria-label={`${reference} came back`}
        onClick={form.open}
      >
        It came back…
      </Button>
    );
  }
  return (
    <InlineReason
      label={`${reference} came back`}
      description="What the bank says, in a few words, as “name differs”. The payee reads it. Leave it empty where the bank says nothing."
      submitLabel="It came back"
      isDangerous
      schema={returnReasonInput}
      maxLength={bankLimits.returnReasonLength}
      onSubmit={async (reason) => {
        await onSay({ amountKobo, reason, isAccountWrong });
        form.close();
      }}
      onCancel={form.close}
    >
      {amountKobo < sentKobo && <p>{texts.cameBackLess(amountKobo, sentKobo)}</p>}
      <p>
        {formatNairaExact(sentKobo)} {isAccountWrong ? texts.owedToOther : texts.owedAgain}
      </p>
      <Checkbox
        label="The bank named the account wrong"
        description="Then nothing is paid to it until its owner gives an account again."
        checked={isAccountWrong}
        onChange={({ currentTarget: { checked } }) => setIsAccountWrong(checked)}
      />
    </InlineReason>
  );
}

type PayoutSearchProps = {
  lineId: number;
  /** The default amount of a part. */
  amountKobo: bigint;
  isIn: boolean;
  verb: string;
  isPending: boolean;
  onChoose: (payout: Payout) => void;
  onCameBack: (payout: Payout, said: ReturnedPayoutFacts) => Promise<unknown>;
};

/** Payouts that the line may be, those of its amount first. */
export function PayoutSearch({ lineId, amountKobo, isIn, verb, isPending, onChoose, onCameBack }: PayoutSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.payouts.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  const oneOfTwo = (payout: Payout) =>
    onCameBack(payout, {
      amountKobo: amountKobo < payout.amountKobo ? amountKobo : payout.amountKobo,
      reason: "",
      isAccountWrong: false,
    }).catch(showRefusal);
  return (
    <>
      <SearchField label="Search payouts" placeholder="Reference or name..." value={search} onChange={setSearch} />
      {!query.data && (
        <p role={query.isError ? "alert" : "status"}>
          {query.isError ? `${bankTexts.payoutsFailed}. ${errorText(query.error)}` : "Looking…"}
        </p>
      )}
      {query.data?.length === 0 && (
        <p role="status">
          {search
            ? `No payout matches “${search}”.`
            : isIn
              ? "No payout was sent that could have come back."
              : "Lines show all payouts that were sent."}
        </p>
      )}
      {query.data && query.data.length > 0 && (
        <ul className={classes.choices} aria-label="Payouts found">
          {query.data.map((payout) => (
            <li key={payout.id} className={classes.choice}>
              <div className={classes.choiceHead}>
                <span className={classes.who}>{payout.payeeName}</span>
                <span className="money">{formatNairaExact(payout.amountKobo)}</span>
              </div>
              <p>
                {payout.projectTitle}, <span className="reference">{payout.reference}</span>, sent{" "}
                {formatDate(payout.sentAt)}
              </p>
              {/* "Paid" above the question whether it came back would deny it. */}
              {!isIn && <PayoutBadge payout={payout} />}
              {isIn && payout.isSecondOut && <p className={classes.why}>{texts.givesSecondBack}</p>}
              {isIn && !payout.isSecondOut ? (
                <CameBack
                  reference={payout.reference}
                  sentKobo={payout.amountKobo}
                  restKobo={amountKobo}
                  isPending={isPending}
                  onSay={(said) => onCameBack(payout, said)}
                />
              ) : (
                <Button
                  className={classes.act}
                  variant="default"
                  size="sm"
                  disabled={isPending}
                  aria-label={`${verb} ${payout.payeeName}, ${payout.reference}`}
                  onClick={() => (isIn ? void oneOfTwo(payout) : onChoose(payout))}
                >
                  {verb}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
