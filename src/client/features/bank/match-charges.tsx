import "#client/ui/mantine/fields.css";
import "@mantine/core/styles/Divider.layer.css";
import { Button, Divider, Textarea } from "@mantine/core";
import { useState } from "react";
import importClasses from "#client/features/bank/importing/import.module.css";
import { errorText } from "#client/lib/errors.ts";
import { formatCount } from "#client/lib/format.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { OpenDialog } from "#client/ui/feedback/open-dialog.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { chargeTextsForm } from "#shared/bank/inputs.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatDay } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import classes from "./line.module.css";

export type Charges = RouterOutputs["bank"]["charges"];
type Matched = RouterOutputs["bank"]["matchCharges"];

type MatchChargesProps = {
  accountId: number;
  /** As they were when the dialog opened: what is matched is what was seen. */
  charges: Charges;
  onClose: () => void;
};

/** Lines that look like the bank's charges, to be matched at once, and the texts that they are known by. */
export default function MatchCharges({ accountId, charges, onClose }: MatchChargesProps) {
  const utils = trpc.useUtils();
  const [result, setResult] = useState<Matched | null>(null);
  const match = trpc.bank.matchCharges.useMutation({
    onSuccess: setResult,
    onError: (error) => toast.error(bankTexts.chargesFailed, errorText(error)),
    onSettled: () => utils.bank.invalidate(),
  });
  const close = () => {
    // It also pends while the screens behind it are read again, which nobody has to wait for.
    if (!match.isPending || result !== null) onClose();
  };
  const { lines, texts } = charges;
  const title = lines.length === 0 ? "Bank charges" : `Match ${formatCount(lines.length, "bank charge")}?`;
  return (
    <OpenDialog onClose={close} title={result ? "Bank charges matched" : title} size="42rem">
      <div className={importClasses.import}>
        {result ? (
          <Result result={result} lines={lines} onClose={close} />
        ) : (
          <>
            {lines.length > 0 && (
              <>
                <p>
                  {formatNairaExact(lines.reduce((sum, { amountKobo }) => sum + amountKobo, 0n))} that the bank took for
                  its services.
                </p>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by the keyboard. */}
                <ul className={`${classes.choices} ${classes.sureList}`} aria-label="Bank charges" tabIndex={0}>
                  {lines.map(({ id, date, narration, amountKobo }) => (
                    <li key={id} className={classes.choice}>
                      <div className={classes.choiceHead}>
                        <span className={classes.who} dir="auto">
                          {narration}
                        </span>
                        <span className="money">{formatNairaExact(amountKobo)}</span>
                      </div>
                      <p className={classes.why}>{formatDay(date)}</p>
                    </li>
                  ))}
                </ul>
                <ButtonRow>
                  <Button
                    data-autofocus
                    loading={match.isPending}
                    onClick={() => match.mutate({ lineIds: lines.map(({ id }) => id) })}
                  >
                    Match as bank charges
                  </Button>
                  <Button variant="default" disabled={match.isPending} onClick={close}>
                    Not now
                  </Button>
                </ButtonRow>
              </>
            )}
            {lines.length > 0 && <Divider />}
            <ChargeTexts accountId={accountId} texts={texts} onKept={close} />
          </>
        )}
      </div>
    </OpenDialog>
  );
}

type ChargeTextsProps = { accountId: number; texts: readonly string[]; onKept: () => void };

/** Edits the texts that the account's bank writes for its charges, one a line. */
function ChargeTexts({ accountId, texts, onKept }: ChargeTextsProps) {
  const utils = trpc.useUtils();
  const kept = texts.join("\n");
  const [typed, setTyped] = useState(kept);
  const change = trpc.bank.changeChargeTexts.useMutation({
    onSuccess: () => {
      toast.success(bankTexts.chargeTextsKept);
      onKept();
    },
    onError: (error) => toast.error(bankTexts.chargeTextsFailed, errorText(error)),
    onSettled: () => utils.bank.invalidate(),
  });
  const read = chargeTextsForm.safeParse({ texts: typed });
  return (
    <form
      className={classes.part}
      onSubmit={(event) => {
        event.preventDefault();
        if (read.success) change.mutate({ accountId, texts: read.data.texts });
      }}
    >
      <Textarea
        label="Texts of bank charges on this account"
        description="One text on each line. Money out with one of them is suggested as a bank charge; nothing is matched by itself."
        autosize
        minRows={2}
        value={typed}
        error={read.success ? null : read.error.issues[0]?.message}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <ButtonRow>
        <Button
          type="submit"
          variant="default"
          size="sm"
          disabled={!read.success || typed === kept}
          loading={change.isPending}
        >
          Save the texts
        </Button>
      </ButtonRow>
    </form>
  );
}

type ResultProps = { result: Matched; lines: Charges["lines"]; onClose: () => void };

function Result({ result: { matched, matchedKobo, refused }, lines, onClose }: ResultProps) {
  return (
    <>
      <Notice tone={refused.length > 0 ? "caution" : "positive"} title={`${formatCount(matched, "charge")} matched`}>
        <p role="status">
          {formatNairaExact(matchedKobo)} of bank charges.{" "}
          {refused.length > 0 && `${formatCount(refused.length, "line stays", "lines stay")} as before.`}
        </p>
      </Notice>
      {refused.length > 0 && (
        <ul className={classes.choices} aria-label="Not matched">
          {refused.map(({ lineId, why }) => {
            const line = lines.find(({ id }) => id === lineId);
            return (
              <li key={lineId} className={classes.choice}>
                <span className={classes.who}>
                  {line ? `${formatNairaExact(line.amountKobo)} of ${formatDay(line.date)}` : `Line ${lineId}`}
                </span>
                <p className={classes.why}>{why}</p>
              </li>
            );
          })}
        </ul>
      )}
      <ButtonRow>
        <Button onClick={onClose}>Done</Button>
      </ButtonRow>
    </>
  );
}
