import "#client/ui/mantine/fields.css";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { ButtonRow } from "#client/ui/layout/button-row.tsx";
import type { LinePart } from "#shared/bank/inputs.ts";
import { bankTexts } from "#shared/bank/texts.ts";
import { formatNairaExact, MAX_STATEMENT_KOBO, parseNaira } from "#shared/money.ts";
import classes from "./line.module.css";
import { showRefusal } from "./use-match-line.ts";

export type Draft = { id: number; part: LinePart; label: string; typed: string };
/** As large as a line may be. */
export const readPart = (typed: string) => parseNaira(typed, MAX_STATEMENT_KOBO);

type SplitLineProps = {
  drafts: Draft[];
  rest: bigint;
  left: bigint;
  isPending: boolean;
  /** Null ends the splitting. */
  onChange: (drafts: Draft[] | null) => void;
  onExplain: (parts: LinePart[]) => Promise<void>;
};

/** The parts of a line before they are kept, all at once. What they leave stays to be explained. */
export function SplitLine({ drafts, rest, left, isPending, onChange, onExplain }: SplitLineProps) {
  const faultOf = ({ typed }: Draft) => {
    const kobo = readPart(typed);
    return kobo === null || kobo === 0n ? bankTexts.amountUnreadable : null;
  };
  const isReady = drafts.length > 0 && left >= 0n && drafts.every((draft) => faultOf(draft) === null);
  return (
    <section className={classes.split} aria-label="Parts of this line">
      <h4>Parts of this line</h4>
      {drafts.length === 0 && <p>Add the first part from what stands below.</p>}
      {drafts.map((draft) => (
        <div key={draft.id} className={classes.splitPart}>
          <span>{draft.label}</span>
          <TextInput
            size="sm"
            aria-label={`Amount for ${draft.label}`}
            leftSection="₦"
            inputMode="decimal"
            autoComplete="off"
            value={draft.typed}
            error={faultOf(draft)}
            onChange={({ currentTarget: { value } }) =>
              onChange(drafts.map((one) => (one.id === draft.id ? { ...one, typed: value } : one)))
            }
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={`Remove ${draft.label}`}
            onClick={() => onChange(drafts.filter(({ id }) => id !== draft.id))}
          >
            <IconX size={18} aria-hidden="true" />
          </ActionIcon>
        </div>
      ))}
      {drafts.length > 0 && (
        <p role="status" data-tone={left < 0n ? "negative" : undefined}>
          {left < 0n
            ? `The parts are ${formatNairaExact(-left)} more than there is to match.`
            : left === 0n
              ? `The parts add up to ${formatNairaExact(rest)}.`
              : `${formatNairaExact(rest - left)} of ${formatNairaExact(rest)}; ${formatNairaExact(left)} stay to be matched.`}
        </p>
      )}
      <ButtonRow>
        <Button
          size="sm"
          disabled={!isReady}
          loading={isPending}
          onClick={() =>
            void onExplain(
              drafts.map(({ part, typed }) => ({ ...part, amountKobo: readPart(typed) ?? part.amountKobo })),
            ).catch(showRefusal)
          }
        >
          Match with {drafts.length === 1 ? "1 part" : `${drafts.length} parts`}
        </Button>
        <Button variant="default" size="sm" disabled={isPending} onClick={() => onChange(null)}>
          Don't split
        </Button>
      </ButtonRow>
    </section>
  );
}
