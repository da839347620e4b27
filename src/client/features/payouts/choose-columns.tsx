import "#client/ui/mantine/fields.css";
import { NativeSelect } from "@mantine/core";
import {
  fixedPayoutColumns,
  type PayoutProfile,
  payoutProfileLabels,
  payoutProfiles,
} from "#shared/payouts/columns.ts";
import type { Run } from "./payouts-search.ts";

const columnsOf = (profile: PayoutProfile, { ownColumns }: Run) =>
  (profile === "own" ? (ownColumns ?? []) : fixedPayoutColumns[profile]).map(({ title }) => title).join(", ");

type ChooseColumnsProps = { run: Run; value: PayoutProfile; onChange: (profile: PayoutProfile) => void };

export function ChooseColumns({ run, value, onChange }: ChooseColumnsProps) {
  const profiles = payoutProfiles.filter((profile) => profile !== "own" || run.ownColumns);
  return (
    <NativeSelect
      label="Columns that your bank wants"
      description={columnsOf(value, run)}
      value={value}
      data={profiles.map((one) => ({ value: one, label: payoutProfileLabels[one] }))}
      onChange={({ currentTarget }) => onChange(profiles.find((one) => one === currentTarget.value) ?? "generic")}
    />
  );
}
