import "#client/ui/mantine/fields.css";
import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

const SEARCH_DELAY_MS = 300;

type SearchFieldProps = {
  label: string;
  placeholder?: string;
  value: string;
  /** Called with the trimmed text once nothing was typed for 300 ms, at once on Enter or on leaving the field. */
  onChange: (text: string) => void;
};

/** A search as you type. Follows `value` when it changes from elsewhere, such as the address bar. */
export function SearchField({ label, placeholder = label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (next: string) => {
    clearTimeout(timer.current);
    const trimmed = next.trim();
    if (trimmed === sent.current) return;
    sent.current = trimmed;
    onChange(trimmed);
  };
  return (
    <search>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
        maxLength={100}
        enterKeyHint="search"
        value={text}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(next), SEARCH_DELAY_MS);
        }}
        onKeyDown={({ key }) => {
          if (key === "Enter") send(text);
        }}
        // Whoever goes on to a result must not be called back to the list while the next page loads.
        onBlur={() => send(text)}
      />
    </search>
  );
}
