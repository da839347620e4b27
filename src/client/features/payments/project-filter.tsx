import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { paymentTexts } from "#shared/payment-texts.ts";
import classes from "./payments.module.css";

const SEARCH_DELAY_MS = 300;
const SEARCH_LENGTH = 100;
/** In the list, so that it is reached by the keys that reach the projects. */
const everything = { value: "all", label: "All projects" };

/** Shows one project's payments. The server searches the titles: there may be thousands. */
export function ProjectFilter({ projectId }: { projectId: number | undefined }) {
  const navigate = useNavigate({ from: "/admin/payments" });
  const [typed, setTyped] = useState("");
  const [isSearching, setIsSearching] = useState(false);
  // Once one is chosen its title stands in the field: that is no search.
  const [search] = useDebouncedValue(isSearching ? typed.trim() : "", SEARCH_DELAY_MS);
  const query = trpc.payments.projects.useQuery(
    { search, selectedId: projectId },
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const selected = projectId === undefined ? null : String(projectId);
  const found = query.data?.items.map(({ id, title }) => ({ value: String(id), label: title })) ?? [];
  // The chosen one comes whatever was searched: it names itself in the field.
  const isFound = ({ value, label }: { value: string; label: string }) =>
    (value === everything.value ? search === "" : value !== selected) ||
    label.toLowerCase().includes(search.toLowerCase());
  return (
    <Select
      className={classes.project}
      aria-label="Filter by project"
      placeholder={everything.label}
      searchable
      maxLength={SEARCH_LENGTH}
      data={selected === null ? found : [everything, ...found]}
      filter={({ options }) => options.filter((option) => !("value" in option) || isFound(option))}
      nothingFoundMessage={query.isError ? paymentTexts.projectsFailed : query.data && "No project found"}
      value={found.some(({ value }) => value === selected) ? selected : null}
      onChange={(value) => {
        setIsSearching(false);
        const project = value && value !== everything.value ? Number(value) : undefined;
        void navigate({
          search: ({ status, search }) => ({ status, search, project }),
          replace: true,
          resetScroll: false,
        });
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      onInput={() => setIsSearching(true)}
      onBlur={() => setIsSearching(false)}
    />
  );
}
