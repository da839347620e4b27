import "#client/ui/mantine/fields.css";
import "#client/ui/mantine/overlays.css";
import { Button, Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { type Ref, useRef, useState } from "react";
import { errorReason, errorText } from "#client/lib/errors.ts";
import { toast } from "#client/lib/toast.ts";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import classes from "./backings.module.css";

/** Makes somebody a backer: picked from the list, or by the whole address that was typed. */
export function AddBacker({ projectId, onAdded }: { projectId: number; onAdded: () => void }) {
  const [text, setText] = useState("");
  const [picked, setPicked] = useState<Person | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const mutation = trpc.backings.grant.useMutation({
    onSuccess: () => {
      toast.success(backingTexts.added);
      setText("");
      setPicked(null);
      onAdded();
    },
    onError: (error) => {
      const message = errorText(error);
      if (message === backingTexts.alreadyListed) {
        toast.info(message);
        return onAdded();
      }
      toast.error(backingTexts.failed, message);
      if (errorReason(error) !== "network" && errorReason(error) !== "internal") setFault(message);
    },
  });
  const add = () => {
    if (mutation.isPending) return;
    const email = text.trim();
    if (!picked && !email.includes("@")) {
      setFault(backingTexts.notPicked);
      toast.error(backingTexts.notPicked);
      return field.current?.focus();
    }
    setFault(null);
    mutation.mutate(picked ? { projectId, userId: picked.id } : { projectId, email });
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <div className={classes.picker}>
        <UserPicker
          ref={field}
          text={text}
          isPicked={picked !== null}
          error={fault}
          onType={(typed) => {
            setText(typed);
            setPicked(null);
            setFault(null);
          }}
          onPick={(person) => {
            setPicked(person);
            setText(`${person.fullName} (${person.email})`);
            setFault(null);
          }}
        />
      </div>
      <Button
        className={classes.add}
        type="submit"
        loading={mutation.isPending}
        leftSection={<IconUserPlus size={18} aria-hidden="true" />}
      >
        Add as Backer
      </Button>
      <p className={classes.hint}>
        A backer sees the project's livestreams and messages. No payment is recorded: approve a receipt for that.
      </p>
    </form>
  );
}

type Person = RouterOutputs["users"]["searchForPicker"]["people"][number];

type UserPickerProps = {
  ref?: Ref<HTMLInputElement>;
  text: string;
  /** What was typed; whoever was picked is picked no more. */
  onType: (text: string) => void;
  onPick: (person: Person) => void;
  isPicked: boolean;
  error?: string | null;
};

const SEARCH_DELAY_MS = 300;

/** People by a part of their name or address, searched by the server as one types. */
function UserPicker({ ref, text, onType, onPick, isPicked, error }: UserPickerProps) {
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
          label="User"
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
  );
}

function emptyText(error: unknown, isSearching: boolean): string {
  if (error) return errorText(error);
  return isSearching ? "Searching…" : "No users found";
}
