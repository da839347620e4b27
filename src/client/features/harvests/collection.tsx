import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { collectInput } from "#shared/harvests.ts";
import { harvestAdminTexts as texts } from "#shared/harvests-admin-texts.ts";
import { harvestTexts } from "#shared/harvests-texts.ts";
import { formatQuantity } from "#shared/terms-texts.ts";
import { type HarvestProps, nameOf } from "./harvest-data.ts";
import classes from "./manage-harvests.module.css";

/** Hands produce over for the code that a taker shows. Nothing where nobody takes any. */
export function Collection({ harvest, round }: HarvestProps) {
  const { state, collectsUntil, now, parts } = harvest;
  const isOpen = (state === "allotted" || state === "settled") && collectsUntil !== null;
  if (!isOpen) return null;
  const isOver = collectsUntil < now;
  const missing = parts.takers - parts.collected;
  return (
    <section className={classes.section} aria-label={`Collection of ${nameOf(harvest)}`}>
      <h3 className={classes.heading}>Collection</h3>
      {!isOver && <CodeForm harvest={harvest} round={round} />}
      <p>
        {missing === 0
          ? "Everything was collected."
          : `${parts.collected} of ${parts.takers} ${parts.collected === 1 ? "has" : "have"} collected.`}
        {isOver && missing > 0 && " The time for it is over: the rest is sold."}
      </p>
    </section>
  );
}

const codeForm = collectInput.pick({ code: true });

/** The keyboard stays in the field: one code follows the other. */
function CodeForm({ harvest, round }: HarvestProps) {
  const utils = trpc.useUtils();
  const [code, setCode] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isLocked, setIsLocked] = useState(false);
  const [handed, setHanded] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const collect = trpc.harvests.collect.useMutation({
    onMutate: () => {
      setFault(null);
      setIsLocked(false);
      setHanded(null);
    },
    onSuccess: ({ name, quantity }) => {
      setHanded(texts.handedOver(formatQuantity(quantity, round.unit), name));
      setCode("");
    },
    onError: (error) => {
      if (errorReason(error) === "rate_limited") setIsLocked(true);
      else setFault(errorText(error));
    },
    onSettled: () => {
      field.current?.focus();
      field.current?.select();
      // Not waited for: the next code may come before the list does.
      void utils.harvests.invalidate();
    },
  });
  const send = () => {
    if (collect.isPending) return;
    const read = codeForm.safeParse({ code });
    setHanded(null);
    if (read.success) return collect.mutate({ harvestId: harvest.id, code });
    setFault(read.error.issues[0]?.message ?? harvestTexts.codeShape);
    field.current?.focus();
  };
  return (
    <form
      className={classes.codeForm}
      noValidate
      aria-label="Hand produce over"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextInput
        ref={field}
        classNames={{ wrapper: classes.code }}
        label="Code of six digits"
        description="As the backer's page shows it"
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        size="lg"
        value={code}
        error={fault}
        // The button stands beside the field itself, whatever is said above and below it.
        inputContainer={(input) => (
          <div className={classes.codeRow}>
            {input}
            <Button type="submit" size="lg" loading={collect.isPending}>
              Hand over
            </Button>
          </div>
        )}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value);
          setFault(null);
        }}
      />
      {isLocked && <Notice tone="negative" isAlert title={harvestTexts.codesLocked} />}
      <div role="status">{handed && <Notice tone="positive" title={handed} />}</div>
    </form>
  );
}
