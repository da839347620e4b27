import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactNode, Ref } from "react";
import { errorText } from "#client/lib/errors.ts";
import classes from "./search-picker.module.css";

const SEARCH_DELAY_MS = 300;

/** Debounces the search of a picker's field. `isWanted`: its list is open, and nothing is picked. */
export function usePickerSearch({ text, isPicked }: { text: string; isPicked: boolean }) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const wanted = text.trim().slice(0, 100);
  const [search] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  return { combobox, search, isBehind: search !== wanted, isWanted: combobox.dropdownOpened && !isPicked };
}

type Option = { id: string; name: string; detail: string };

type SearchPickerProps = {
  ref?: Ref<HTMLInputElement>;
  picker: ReturnType<typeof usePickerSearch>;
  query: { error: unknown; isFetching: boolean; isPending: boolean };
  /** The server's results, undefined until it has answered. */
  options: readonly Option[] | undefined;
  hasMore: boolean;
  label: string;
  description?: ReactNode;
  placeholder: string;
  /** The name of the list of options. */
  listLabel: string;
  noneFound: string;
  text: string;
  /** Called with the typed text; the picked option is no longer picked. */
  onType: (text: string) => void;
  onPick: (id: string) => void;
  isPicked: boolean;
  isReadOnly?: boolean;
  error?: ReactNode;
  /** Where a form finds the field. */
  path?: string;
  /** At the end of the field. */
  aside?: ReactNode;
};

/** One of many by a part of its name, searched by the server as one types. */
export function SearchPicker(props: SearchPickerProps) {
  const { ref, picker, query, options, hasMore, text, onType, onPick, isPicked, isReadOnly = false } = props;
  const { label, description, placeholder, listLabel, noneFound, error, aside, path } = props;
  const { combobox } = picker;
  // What an earlier search found must not be picked for this one.
  const isSearching = picker.isBehind || query.isPending;
  const shown = isPicked || isSearching ? [] : (options ?? []);
  const open = () => {
    if (!isPicked && !isReadOnly) combobox.openDropdown();
  };
  return (
    <div className={classes.picker}>
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={(id) => {
          if (shown.some((option) => option.id === id)) onPick(id);
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target>
          <TextInput
            ref={ref}
            data-path={path}
            label={label}
            description={description}
            placeholder={placeholder}
            autoComplete="off"
            maxLength={255}
            value={text}
            error={error}
            readOnly={isReadOnly}
            rightSection={query.isFetching && combobox.dropdownOpened ? <Loader size="xs" /> : aside}
            onChange={({ currentTarget }) => {
              onType(currentTarget.value);
              combobox.openDropdown();
            }}
            onClick={open}
            onFocus={open}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={isPicked || isReadOnly}>
          <Combobox.Options className={classes.options} aria-label={listLabel}>
            {shown.map(({ id, name, detail }) => (
              <Combobox.Option key={id} value={id} className={classes.option}>
                <span className={classes.name}>{name}</span>
                <span className={classes.detail}>{detail}</span>
              </Combobox.Option>
            ))}
            {shown.length === 0 && <Combobox.Empty>{emptyText(query.error, isSearching, noneFound)}</Combobox.Empty>}
          </Combobox.Options>
          {!isSearching && hasMore && (
            <Combobox.Footer>There are more. Type more letters to narrow them down.</Combobox.Footer>
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

function emptyText(error: unknown, isSearching: boolean, noneFound: string): string {
  if (error) return errorText(error);
  return isSearching ? "Searching…" : noneFound;
}
