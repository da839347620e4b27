import type { Ref } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { SearchPicker, usePickerSearch } from "#client/ui/forms/search-picker.tsx";

export type Person = RouterOutputs["users"]["searchForPicker"]["people"][number];

type UserPickerProps = {
  ref?: Ref<HTMLInputElement>;
  label?: string;
  text: string;
  /** Called with the typed text; the picked person is no longer picked. */
  onType: (text: string) => void;
  onPick: (person: Person) => void;
  isPicked: boolean;
  error?: string | null;
};

/** People by a part of their name or address. */
export function UserPicker({ label = "User", onPick, error, ...props }: UserPickerProps) {
  const picker = usePickerSearch(props);
  const query = trpc.users.searchForPicker.useQuery(
    { search: picker.search },
    { enabled: picker.isWanted, staleTime: 30_000 },
  );
  const people = query.data?.people;
  return (
    <SearchPicker
      {...props}
      picker={picker}
      query={query}
      options={people?.map(({ id, fullName, email }) => ({ id, name: fullName, detail: email }))}
      hasMore={query.data?.hasMore ?? false}
      label={label}
      placeholder="Search by name or email"
      listLabel="Users"
      noneFound="No users found"
      error={error}
      onPick={(id) => {
        const person = people?.find((found) => found.id === id);
        if (person) onPick(person);
      }}
    />
  );
}
