import "#client/ui/mantine/fields.css";
import { TextInput, type TextInputProps } from "@mantine/core";

type WholeNumberInputProps = Omit<TextInputProps, "value" | "onChange"> & {
  /** A string only where it isn't a number: empty, or longer than numbers can be. */
  value?: number | string;
  onChange?: (value: number | string) => void;
};

const numberOf = (digits: string) => (digits !== "" && Number.isSafeInteger(Number(digits)) ? Number(digits) : digits);

/** A count, zero or more, which takes digits only; the arrow keys move it by one. Mantine's own weighs ten times this. */
export function WholeNumberInput({ value = "", onChange, ...props }: WholeNumberInputProps) {
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      // A key is refused before it is there, so that the caret stays; of what is pasted, the digits are taken.
      onBeforeInput={(event) => {
        if (event.data?.length === 1 && !/\d/.test(event.data)) event.preventDefault();
      }}
      onChange={({ currentTarget }) => {
        onChange?.(numberOf(currentTarget.value.replace(/\.\d*$/, "").replace(/\D/g, "")));
      }}
      onKeyDown={(event) => {
        const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onChange?.(numberOf(String(value === "" ? 0 : Math.max(0, Number(value) + step))));
      }}
    />
  );
}
