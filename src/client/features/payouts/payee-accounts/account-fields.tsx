import "#client/ui/mantine/fields.css";
import { NativeSelect, TextInput } from "@mantine/core";
import type { z } from "zod";
import { codeOf, nigerianBanks } from "#shared/bank/nigerian-banks.ts";
import { payeeAccountFields } from "#shared/payouts/payee-accounts.ts";

const banks = [
  { value: "", label: "Choose a bank" },
  ...nigerianBanks.map((bank) => ({ value: codeOf(bank), label: bank.name })),
];

const faultOf = (field: z.ZodType) => (value: string) => field.safeParse(value).error?.issues[0]?.message ?? null;

/** The rules of the fields below, for the form that has them. */
export const accountRules = {
  bankCode: faultOf(payeeAccountFields.bankCode),
  accountNumber: faultOf(payeeAccountFields.accountNumber),
  accountName: faultOf(payeeAccountFields.accountName),
};

/** The part of a Mantine form that these fields need. */
type AccountForm = { getInputProps(field: keyof typeof accountRules): object };

/** Bank, number and name of an account that money is paid to. */
export function AccountFields({ form }: { form: AccountForm }) {
  return (
    <>
      <NativeSelect label="Bank" name="bankCode" data={banks} data-autofocus {...form.getInputProps("bankCode")} />
      <TextInput
        label="Account number"
        description="10 digits"
        name="accountNumber"
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps("accountNumber")}
      />
      <TextInput
        label="Account name"
        description="As the bank writes it."
        name="accountName"
        autoComplete="off"
        {...form.getInputProps("accountName")}
      />
    </>
  );
}
