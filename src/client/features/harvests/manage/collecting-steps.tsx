import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import type { RouterOutputs } from "#client/lib/trpc.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import { harvestAdminTexts as texts } from "#shared/harvests/admin-texts.ts";
import { collectInput } from "#shared/harvests/inputs.ts";
import { harvestTexts, spacedCode } from "#shared/harvests/texts.ts";
import { formatQuantity, type Unit } from "#shared/projects/terms-texts.ts";
import classes from "./collecting.module.css";
import { type CollectionFacts, nameOf, useRefetchHarvests } from "./harvest-data.ts";

/** A keeper reads no more of it than whose it is and what they take. */
type Produce = RouterOutputs["farmHarvests"]["findProduce"] & Partial<RouterOutputs["harvests"]["findProduce"]>;
type Handed = RouterOutputs["harvests"]["collect"];
/** By whose right produce is handed out: an administrator's or a keeper's. */
export type CollectingCalls = {
  find: (code: string) => Promise<Produce>;
  collect: (code: string) => Promise<Handed>;
};
/** Where whoever hands produce out is with one person. */
export type Step = { is: "code" } | { is: "check"; code: string; produce: Produce } | { is: "done"; handed: Handed };

const codeForm = collectInput.pick({ code: true });

type CodeStepProps = Pick<CollectingCalls, "find"> & { onFound: (code: string, produce: Produce) => void };

/** The keyboard stands in the field, so that a scanner may type into it, or a code be pasted. */
export function CodeStep({ find: mutationFn, onFound }: CodeStepProps) {
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const find = useMutation({
    mutationFn,
    onSuccess: (produce, code) => onFound(code, produce),
    onError: (error) => {
      if (errorReason(error) === "invalid") setFault(errorText(error));
      else setProblem(errorText(error));
      field.current?.focus();
      field.current?.select();
    },
  });
  const send = () => {
    if (find.isPending) return;
    const read = codeForm.safeParse({ code: typed });
    setProblem(null);
    setFault(null);
    if (read.success) return find.mutate(read.data.code);
    setFault(read.error.issues[0]?.message ?? harvestTexts.codeShape);
    field.current?.focus();
  };
  return (
    <StepCard number={1} title="Whose code is it?">
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextInput
          ref={field}
          classNames={{ wrapper: classes.code }}
          label="Code of six digits"
          description="As the backer's page or mail shows it: typed, pasted or scanned"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={typed}
          error={fault}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setFault(null);
          }}
        />
        {problem && <Notice tone="negative" isAlert title={problem} />}
        <Button type="submit" size="lg" loading={find.isPending}>
          Check the code
        </Button>
      </form>
      <p className={classes.fine}>{texts.codeLimits}</p>
    </StepCard>
  );
}

type CheckStepProps = {
  hand: CollectingCalls["collect"];
  facts: CollectionFacts;
  code: string;
  produce: Produce;
  onHanded: (handed: Handed) => void;
  onBack: () => void;
};

/** Shows the code's person and their produce. Nothing is handed over before that is confirmed. */
export function CheckStep({ hand, facts, code, produce, onHanded, onBack }: CheckStepProps) {
  const refetch = useRefetchHarvests();
  const collect = useMutation({
    mutationFn: hand,
    onSuccess: onHanded,
    // Not waited for: the next person may come before the list does.
    onSettled: () => void refetch(),
  });
  const quantityOf = (quantity: bigint) => formatQuantity(quantity, facts.unit);
  const { name, quantity, taken, given = 0n, sold = 0n } = produce;
  const parts = [
    `${quantityOf(taken)} to take`,
    ...(given > 0n ? [`${quantityOf(given)} donated`] : []),
    ...(sold > 0n ? [`${quantityOf(sold)} sold`] : []),
  ];
  // What can't be handed over at all isn't offered a second time.
  const isRefused = collect.isError && errorReason(collect.error) === "conflict";
  return (
    <StepCard number={2} title="Is this the person?" takesFocus>
      <p className={classes.who}>{name}</p>
      <p className={classes.quantity}>{quantityOf(taken)}</p>
      <dl className={classes.facts}>
        <div>
          <dt>Farm</dt>
          <dd>
            {facts.projectTitle}, {nameOf(facts)}
          </dd>
        </div>
        {quantity !== undefined && (
          <div>
            <dt>Their share</dt>
            <dd>
              {quantityOf(quantity)}: {parts.join(", ")}
            </dd>
          </div>
        )}
        <div>
          <dt>Code</dt>
          <dd>{spacedCode(code)}</dd>
        </div>
      </dl>
      {collect.isError && <Notice tone="negative" isAlert title={errorText(collect.error)} />}
      <ButtonRow>
        {!isRefused && (
          <Button size="lg" loading={collect.isPending} onClick={() => collect.mutate(code)}>
            Handed over
          </Button>
        )}
        <Button size="lg" variant="default" disabled={collect.isPending} onClick={onBack}>
          Another code
        </Button>
      </ButtonRow>
    </StepCard>
  );
}

/** The keyboard stands on the way to the next person. */
export function DoneStep({ handed, unit, onNext }: { handed: Handed; unit: Unit; onNext: () => void }) {
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus(), []);
  return (
    <section className={classes.card} aria-label="Handed over">
      <div role="status">
        <Notice tone="positive" title={texts.handedOver(formatQuantity(handed.quantity, unit), handed.name)} />
      </div>
      <Button ref={next} size="lg" onClick={onNext}>
        Next person
      </Button>
    </section>
  );
}

type StepCardProps = { number: 1 | 2; title: string; takesFocus?: boolean; children: ReactNode };

function StepCard({ number, title, takesFocus = false, children }: StepCardProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div>
        <p className={classes.step}>Step {number} of 2</p>
        <h2 className={classes.title} id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </div>
      {children}
    </section>
  );
}
