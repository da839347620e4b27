import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { PayoutBadge } from "#client/shared-parts/payout-badge.tsx";
import { InlineReason } from "#client/ui/forms/inline-reason.tsx";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { returnReasonInput } from "#shared/bank/inputs.ts";
import { bankLimits, bankTexts } from "#shared/bank/texts.ts";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./line.module.css";

type Payout = RouterOutputs["bank"]["payouts"][number];

type CameBackProps = {
  /** The payout's reference. */
  reference: string;
  amountKobo: bigint;
  isPending: boolean;
  /** Says that the line shows it coming back. The reason may be empty. */
  onSay: (reason: string) => Promise<unknown>;
};

/** That a payout came back can't be undone, so why it did is asked for first: its payee reads it. */
export function CameBack({ reference, amountKobo, isPending, onSay }: CameBackProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button
        className={classes.act}
        variant="default"
        size="sm"
        disabled={isPending}
        aria-label={`${reference} came back`}
        onClick={() => setIsAsking(true)}
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
        await onSay(reason);
        setIsAsking(false);
      }}
      onCancel={() => setIsAsking(false)}
    >
      <p>
        {formatNairaExact(amountKobo)} are owed again, and the account isn't used until its owner gives one again. This
        can't be undone.
      </p>
    </InlineReason>
  );
}

type PayoutSearchProps = {
  lineId: number;
  isIn: boolean;
  verb: string;
  isPending: boolean;
  onChoose: (payout: Payout) => void;
  onCameBack: (payout: Payout, reason: string) => Promise<unknown>;
};

/** Payouts that the line may be, those of its amount first. */
export function PayoutSearch({ lineId, isIn, verb, isPending, onChoose, onCameBack }: PayoutSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.payouts.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
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
              {isIn ? (
                <CameBack
                  reference={payout.reference}
                  amountKobo={payout.amountKobo}
                  isPending={isPending}
                  onSay={(reason) => onCameBack(payout, reason)}
                />
              ) : (
                <Button
                  className={classes.act}
                  variant="default"
                  size="sm"
                  disabled={isPending}
                  aria-label={`${verb} ${payout.payeeName}, ${payout.reference}`}
                  onClick={() => onChoose(payout)}
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
