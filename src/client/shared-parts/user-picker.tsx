import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { Ref } from "react";
import { errorText } from "#client/lib/errors.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import classes from "./user-picker.module.css";

export type Person = RouterOutputs["users"]["searchForPicker"]["people"][number];

type UserPickerProps = {
  ref?: Ref<HTMLInputElement>;
  label?: string;
  text: string;
  /** What was typed; whoever was picked is picked no more. */
  onType: (text: string) => void;
  onPick: (person: Person) => void;
  isPicked: boolean;
  error?: string | null;
};

const SEARCH_DELAY_MS = 300;

/** People by a part of their name or address, searched by the server as one types. */
export function UserPicker({ ref, label = "User", text, onType, onPick, isPicked, error }: UserPickerProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const wanted = text.trim().slice(0, 100);
  const [search] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  const query = trpc.users.searchForPicker.useQuery(
    { search },
    { enabled: combobox.dropdownOpened && !isPicked, staleTime: 30_000 },
  );
  // What an earlier search found must not be picked for this one.
  const isSearching = search !== wanted || query.isPending;
  const people = isPicked || isSearching ? [] : (query.data?.people ?? []);
  const open = () => {
    if (!isPicked) combobox.openDropdown();
  };
  return (
    <div className={classes.picker}>
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={(id) => {
          const person = people.find((found) => found.id === id);
          if (person) onPick(person);
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target>
          <TextInput
            ref={ref}
            label={label}
            placeholder="Search by name or email"
            autoComplete="off"
            maxLength={255}
            value={text}
            error={error}
            rightSection={query.isFetching && combobox.dropdownOpened ? <Loader size="xs" /> : null}
            onChange={({ currentTarget }) => {
              onType(currentTarget.value);
              combobox.openDropdown();
            }}
            onClick={open}
            onFocus={open}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={isPicked}>
          <Combobox.Options className={classes.options} aria-label="Users">
            {people.map((person) => (
              <Combobox.Option key={person.id} value={person.id} className={classes.option}>
                <span className={classes.name}>{person.fullName}</span>
                <span className={classes.email}>{person.email}</span>
              </Combobox.Option>
            ))}
            {people.length === 0 && <Combobox.Empty>{emptyText(query.error, isSearching)}</Combobox.Empty>}
          </Combobox.Options>
          {!isSearching && query.data?.hasMore && (
            <Combobox.Footer>There are more. Type more letters to narrow them down.</Combobox.Footer>
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

function emptyText(error: unknown, isSearching: boolean): string {
  if (error) return errorText(error);
  return isSearching ? "Searching…" : "No users found";
}
