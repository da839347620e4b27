import "#client/ui/mantine/overlays.css";
import { Modal } from "@mantine/core";
import { useAskSecondPerson } from "#client/lib/ask-second-person.ts";
import { ReasonForm } from "#client/ui/forms/reason-form.tsx";
import { secondPersonLimits } from "#shared/second-person/texts.ts";
import {
  changeSettingTitle,
  type MoneySettingKey,
  moneySettingWords,
  settingValueText,
} from "#shared/settings/texts.ts";
import classes from "./settings.module.css";

/** A change that takes two owners: what counts now, and what is to count. */
export type AskedChange = { key: MoneySettingKey; from: string; to: string };

/** Asks another owner to confirm changes: shows their words, and asks for the reason that the other owner reads. */
export function AskChangeForm({
  changes,
  onAsked,
  onCancel,
}: {
  changes: readonly AskedChange[];
  onAsked: () => void;
  onCancel: () => void;
}) {
  const ask = useAskSecondPerson();
  return (
    <ReasonForm
      label="Send to another owner"
      description={`The other owner reads it. At least ${secondPersonLimits.reasonMin} characters.`}
      submitLabel="Send to another owner"
      onSubmit={async (reason) => {
        for (const details of changes) await ask.mutateAsync({ kind: "change_setting", details, reason });
        onAsked();
      }}
      onCancel={onCancel}
    >
      <ul className={classes.consequences}>
        {changes.map(({ key, from, to }) => (
          <li key={key}>
            {changeSettingTitle(key, from, to)}. {moneySettingWords[key].effect(settingValueText(key, to))}
          </li>
        ))}
      </ul>
      <p>Nothing changes before another owner confirms it on the dashboard. Every owner is emailed then.</p>
    </ReasonForm>
  );
}

/** The same over the page. */
export default function AskChangeDialog({
  changes,
  onAsked,
  onClose,
}: {
  changes: readonly AskedChange[];
  onAsked: () => void;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={changes.length > 0}
      onClose={onClose}
      title="Another owner confirms this"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <AskChangeForm changes={changes} onAsked={onAsked} onCancel={onClose} />
    </Modal>
  );
}
