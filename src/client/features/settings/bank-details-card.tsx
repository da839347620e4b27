import { lazyDialog } from "#client/ui/feedback/lazy-part.tsx";
import "#client/ui/mantine/fields.css";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, Suspense, useState } from "react";
import { toast } from "#client/lib/toast.ts";
import { Notice } from "#client/ui/feedback/notice.tsx";
import { Card } from "#client/ui/layout/card.tsx";
import { readSettingValue } from "#shared/settings/inputs.ts";
import { bankDetailKeys, settingTexts as texts } from "#shared/settings/texts.ts";
import type { BankQuestion, BankValues } from "./bank-details-dialog.tsx";
import classes from "./settings.module.css";

const BankDetailsDialog = lazyDialog(() => import("./bank-details-dialog.tsx"));

const fields = [
  { key: bankDetailKeys.bankName, label: "Bank" },
  { key: bankDetailKeys.accountName, label: "Account name" },
  { key: bankDetailKeys.accountNumber, label: "Account number" },
] as const;

/** The account that backers transfer to. A change of it takes a second person. */
export function BankDetailsCard({ stored }: { stored: BankValues }) {
  const [values, setValues] = useState(stored);
  const [faults, setFaults] = useState<Partial<BankValues>>({});
  const [asked, setAsked] = useState<BankQuestion | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  const isUnset = Object.values(stored).some((value) => value === "");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wrong: Partial<BankValues> = {};
    const read = { ...values };
    for (const { key } of fields) {
      const result = readSettingValue(key, values[key]);
      if ("fault" in result) wrong[key] = result.fault;
      else read[key] = result.value;
    }
    setFaults(wrong);
    if (Object.keys(wrong).length > 0) return;
    const changes = fields
      .filter(({ key }) => read[key] !== stored[key])
      .map(({ key, label }) => ({ label, before: stored[key], after: read[key] }));
    if (changes.length === 0) return toast.info(texts.nothingToSave);
    setWasAsked(true);
    setAsked({ values: read, seen: stored, changes });
  };
  return (
    <Card
      title="Bank details"
      text="The account that backers transfer to. A change takes your password and a second person, and every owner is told by email."
    >
      {isUnset && <Notice tone="caution" title="No receipts can be sent until all three are set" />}
      <form className={classes.form} onSubmit={submit} noValidate>
        {fields.map(({ key, label }) => (
          <TextInput
            key={key}
            label={label}
            autoComplete="off"
            inputMode={key === bankDetailKeys.accountNumber ? "numeric" : undefined}
            description={key === bankDetailKeys.accountNumber ? "10 digits" : undefined}
            value={values[key]}
            error={faults[key]}
            onChange={({ currentTarget }) => {
              const { value } = currentTarget;
              setValues((shown) => ({ ...shown, [key]: value }));
              setFaults((shown) => ({ ...shown, [key]: undefined }));
            }}
          />
        ))}
        <Button className={classes.action} type="submit">
          Save bank details
        </Button>
      </form>
      {wasAsked && (
        <Suspense>
          <BankDetailsDialog asked={asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </Card>
  );
}
