import { Button, Modal } from "@mantine/core";
import "#client/ui/mantine/overlays.css";
import { useState } from "react";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { errorText } from "#client/lib/errors.ts";
import { useCan } from "#client/lib/session/session.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNaira } from "#shared/money.ts";
import { roundReturnTexts } from "#shared/payouts/returns-texts.ts";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import classes from "./farm-money.module.css";

type Return = RouterOutputs["roundReturns"]["ofProject"][number];

/** The money of a project's rounds that went back to their backers. */
export function Returns({ projectId }: { projectId: number }) {
  const query = trpc.roundReturns.ofProject.useQuery({ projectId }, { staleTime: 0 });
  if (query.isError) {
    return <Notice tone="negative" title={`${roundReturnTexts.loadFailed}. ${errorText(query.error)}`} />;
  }
  if (!query.data || query.data.length === 0) return null;
  return (
    <section aria-label="Returns">
      <h3 className={classes.heading}>Returned to backers</h3>
      <ul className={classes.list}>
        {query.data.map((returned) => (
          <ReturnCard key={returned.id} returned={returned} />
        ))}
      </ul>
    </section>
  );
}

function ReturnCard({ returned }: { returned: Return }) {
  const { id, round, amountKobo, backers, reason, madeByName, createdAt, takenBackAt, takenBackReason } = returned;
  const [isAsking, setIsAsking] = useState(false);
  const ask = useAskSecondPerson();
  const mayAsk = useCan("payments:process");
  const close = () => setIsAsking(false);
  return (
    <li className={classes.release}>
      <div className={classes.head}>
        <span>
          Round {round}, to {backers === 1 ? "1 backer" : `${backers} backers`}
        </span>
        <span className="money">{formatNaira(amountKobo)}</span>
      </div>
      <p className={classes.fine}>
        Confirmed by {madeByName ?? "nobody known"} on {formatDate(createdAt)}: {reason}
      </p>
      {takenBackAt && (
        <p>
          Taken back on {formatDate(takenBackAt)}: {takenBackReason}
        </p>
      )}
      {returned.canBeTakenBack && mayAsk && (
        <Button
          className={classes.action}
          variant="default"
          size="sm"
          aria-label={`Take back the return of ${formatNaira(amountKobo)} of round ${round}`}
          onClick={() => setIsAsking(true)}
        >
          Take back…
        </Button>
      )}
      <Modal
        opened={isAsking}
        onClose={close}
        title={`Take the return of ${formatNaira(amountKobo)} back?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ReasonForm
          description={`The round's backers read it. At least ${secondPersonLimits.reasonMin} characters.`}
          submitLabel="Send to another owner"
          onSubmit={async (why) => {
            await ask.mutateAsync({ kind: "take_return_back", details: { returnId: id }, reason: why });
            close();
          }}
          onCancel={close}
        >
          <p>{roundReturnTexts.takenBackConsequence}</p>
        </ReasonForm>
      </Modal>
    </li>
  );
}
