import "#client/ui/mantine/fields.css";
import { NativeSelect } from "@mantine/core";
import { useEffect, useRef } from "react";
import {
  fixedPayoutColumns,
  type PayoutProfile,
  payoutProfileLabels,
  payoutProfiles,
} from "#shared/payouts/columns.ts";
import type { Run } from "./payouts-search.ts";

const columnsOf = (profile: PayoutProfile, { ownColumns }: Run) =>
  (profile === "own" ? (ownColumns ?? []) : fixedPayoutColumns[profile]).map(({ title }) => title).join(", ");

type ChooseColumnsProps = {
  run: Run;
  value: PayoutProfile;
  /** True if the select takes the focus. */
  takesFocus?: boolean;
  onChange: (profile: PayoutProfile) => void;
};

export function ChooseColumns({ run, value, takesFocus = false, onChange }: ChooseColumnsProps) {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (takesFocus) select.current?.focus();
  }, [takesFocus]);
  const profiles = payoutProfiles.filter((profile) => profile !== "own" || run.ownColumns);
  return (
    <NativeSelect
      ref={select}
      label="Columns that your bank wants"
      description={columnsOf(value, run)}
      value={value}
      data={profiles.map((one) => ({ value: one, label: payoutProfileLabels[one] }))}
      onChange={({ currentTarget }) => onChange(profiles.find((one) => one === currentTarget.value) ?? "generic")}
    />
  );
}
