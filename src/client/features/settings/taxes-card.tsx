import "#client/ui/mantine/fields.css";
import { Button, Switch, TextInput } from "@mantine/core";
import { Card } from "#client/ui/layout/card.tsx";
import { settingDefaults, vatKey, withholdingKey } from "#shared/settings/texts.ts";
import classes from "./settings.module.css";
import { AskedChanges, type StoredNumbers, useNumbers } from "./use-numbers.tsx";

const taxes = [
  {
    key: vatKey,
    label: "The platform is registered for VAT",
    description: "When off, no VAT is taken on its fee.",
    rate: "VAT on the platform's fee",
    /** The rate that switching on begins with: the law's in 2026, in percent. */
    usual: "7.5",
  },
  {
    key: withholdingKey,
    label: "Tax is withheld from backers",
    description: "When off, backers get their share of sales less the fee.",
    rate: "Withheld from what sales bring to backers",
    usual: "10",
  },
] as const;

const keys = taxes.map(({ key }) => key);

/** VAT and withholding, each with whether it is charged at all and its rate. Another owner confirms what changes. */
export function TaxesCard({ stored }: { stored: StoredNumbers }) {
  const { typedOf, faultOf, type, submit, isPending, dialog } = useNumbers(keys, stored);
  return (
    <Card
      title="Taxes"
      text="What settlements take of harvests for the state. A change counts from the next settlement on; those that stand stay."
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {taxes.map(({ key, label, description, rate, usual }) => {
          const value = typedOf(key);
          const isOn = value.trim() === "" || Number(value) !== 0;
          return (
            <div key={key} className={classes.tax}>
              <Switch
                size="md"
                label={label}
                description={description}
                checked={isOn}
                onChange={({ currentTarget: { checked } }) => type(key, checked ? usual : settingDefaults[key])}
              />
              {isOn && (
                <TextInput
                  label={rate}
                  description="0 to 30%. Ask your tax adviser."
                  rightSection={<span className={classes.unit}>%</span>}
                  rightSectionWidth="4rem"
                  inputMode="decimal"
                  autoComplete="off"
                  value={value}
                  error={faultOf(key)}
                  onChange={({ currentTarget }) => type(key, currentTarget.value)}
                />
              )}
            </div>
          );
        })}
        <AskedChanges keys={keys} />
        <Button className={classes.action} type="submit" loading={isPending}>
          Save taxes
        </Button>
      </form>
      {dialog}
    </Card>
  );
}
