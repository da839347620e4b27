import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { type RouterOutputs, trpc } from "#client/lib/trpc.ts";
import { SearchField } from "#client/ui/forms/search-field.tsx";
import { formatDate } from "#shared/dates.ts";
import { formatNairaExact } from "#shared/money.ts";
import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import classes from "./bank.module.css";
import { Looking } from "./harvest-choices.tsx";

type Release = RouterOutputs["bank"]["releases"][number];
type ReleaseSearchProps = {
  lineId: number;
  verb: string;
  isPending: boolean;
  onChoose: (release: Release) => void;
};

/** Releases whose money is at a farm, which may have paid some of it back. */
export function ReleaseSearch({ lineId, verb, isPending, onChoose }: ReleaseSearchProps) {
  const [search, setSearch] = useState("");
  const query = trpc.bank.releases.useQuery(
    { lineId, ...(search && { search }) },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  return (
    <>
      <SearchField label="Search farms" placeholder="Project..." value={search} onChange={setSearch} />
      <Looking
        query={query}
        failed={farmReleaseTexts.releasesFailed}
        none={search ? `No farm that matches “${search}” has money of ours.` : "No farm has money of ours."}
      />
      {query.data && query.data.length > 0 && (
        <ul className={classes.choices} aria-label="Releases found">
          {query.data.map((release) => {
            const name = `Round ${release.round} of ${release.projectTitle}`;
            return (
              <li key={release.id} className={classes.choice}>
                <div className={classes.choiceHead}>
                  <span className={classes.who}>{name}</span>
                  <span className="money">{formatNairaExact(release.atFarmKobo)}</span>
                </div>
                <p>
                  {formatNairaExact(release.amountKobo)} released on {formatDate(release.createdAt)}.
                </p>
                <Button
                  className={classes.act}
                  variant="default"
                  size="sm"
                  disabled={isPending}
                  aria-label={`${verb} ${name}, released on ${formatDate(release.createdAt)}`}
                  onClick={() => onChoose(release)}
                >
                  {verb}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
