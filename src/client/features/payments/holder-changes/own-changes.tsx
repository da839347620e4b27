import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { LoadFailed } from "#client/ui/feedback/load-failed.tsx";
import { formatNaira } from "#shared/money.ts";
import { holderChangeCauseLabels, holderChangeTexts as texts } from "#shared/payments/holder-changes-texts.ts";
import { DaysLeft } from "./days-left.tsx";
import { DoneNote } from "./done-note.tsx";
import classes from "./holder-changes.module.css";

type Own = RouterOutputs["holderChanges"]["mine"]["changes"][number];

/**
 * The changes of holder that pass something from the reader or to the reader, with the press that stops each. Nothing
 * if there are none.
 */
export default function OwnChanges() {
  const query = trpc.holderChanges.mine.useQuery(undefined, { staleTime: 0 });
  const [hasObjected, setHasObjected] = useState(false);
  if (query.isError && !query.data) {
    return <LoadFailed query={query} title={texts.fetchFailed} />;
  }
  const { now, changes } = query.data ?? { now: new Date(), changes: [] };
  if (changes.length === 0 && !hasObjected) return null;
  return (
    <section className={classes.section} aria-labelledby="own-holder-changes">
      <h2 id="own-holder-changes" className={classes.title}>
        Change of holder
      </h2>
      {hasObjected && <DoneNote text={texts.objected} />}
      {changes.map((change) => (
        <OwnChange key={change.id} change={change} now={now} onObjected={() => setHasObjected(true)} />
      ))}
    </section>
  );
}

function OwnChange({ change, now, onObjected }: { change: Own; now: Date; onObjected: () => void }) {
  const { id, isFrom, fromName, toName, amountKobo, round, projectTitle, cause, reason, until } = change;
  const utils = trpc.useUtils();
  const object = trpc.holderChanges.object.useMutation({
    onError: (error) => toast.error(texts.objectFailed, errorText(error)),
    onSuccess: onObjected,
    onSettled: () => Promise.all([utils.holderChanges.invalidate(), utils.tasks.invalidate()]),
  });
  const lots = `${formatNaira(amountKobo)} of lots in round ${round} of ${projectTitle}`;
  return (
    <article className={classes.card}>
      <h3>{isFrom ? `Your lots are to pass to ${toName}` : `${fromName}'s lots are to pass to you`}</h3>
      <p>
        {lots}. {holderChangeCauseLabels[cause]}. <DaysLeft until={until} now={now} isReader />
      </p>
      <p className={classes.reason}>Reason: {reason}</p>
      <p>If that isn't right, object: nothing changes then, and the owners look at it again.</p>
      <div>
        <Button
          variant="outline"
          color="red"
          loading={object.isPending}
          disabled={until <= now}
          onClick={() => object.mutate({ changeId: id })}
        >
          Object
        </Button>
      </div>
    </article>
  );
}
