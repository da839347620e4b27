import nigeria from "@svg-maps/nigeria";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatCount } from "#client/lib/format.ts";
import { trpc } from "#client/lib/trpc.ts";
import { ErrorState } from "#client/ui/feedback/message-state.tsx";
import { Loading, Skeleton } from "#client/ui/feedback/skeleton.tsx";
import { Surface } from "#client/ui/layout/card.tsx";
import { nigerianStates } from "#shared/farms/texts.ts";
import classes from "./states-map.module.css";

const map: { viewBox: string; locations: { id: string; name: string; path: string }[] } = nigeria;
/** Where the map has another name for a state than we. */
const ourNames: Record<string, string> = { "Federal Capital Territory": "FCT", Nassarawa: "Nasarawa" };
const outlines = map.locations.map(({ name, path }) => ({ state: ourNames[name] ?? name, path }));

type StatesMapProps = {
  /** The state of the filter. */
  chosen: string | undefined;
};

/** Where projects run: the states as a map for the eye, and beside it as a list, which keyboards and screen readers use. */
export default function StatesMap({ chosen }: StatesMapProps) {
  const query = trpc.projects.countByState.useQuery();
  if (query.isPending) {
    return (
      <Loading label="Loading the map">
        <Skeleton ratio="744 / 600" radius="var(--mantine-radius-lg)" />
      </Loading>
    );
  }
  if (query.isError) {
    return (
      <ErrorState
        title="The map could not be loaded."
        onRetry={() => query.refetch()}
        isRetrying={query.isRefetching}
      />
    );
  }
  const { states } = query.data;
  return (
    <Surface>
      <div className={classes.parts}>
        <div className={classes.map}>
          <Outlines totals={new Map(states.map(({ state, total }) => [state, total]))} chosen={chosen} />
          <p className={classes.credit}>
            Map by{" "}
            <a href="https://github.com/VictorCazanave/svg-maps/tree/master/packages/nigeria">
              Michael Chukwu, svg-maps
            </a>
            , <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>
          </p>
        </div>
        <nav aria-label="States with projects">
          {states.length === 0 ? (
            <p className={classes.rest}>No project runs on a farm at the moment.</p>
          ) : (
            <>
              <ul className={classes.list}>
                {states.map(({ state, total }) => (
                  <li key={state}>
                    <StateLink state={state} className={classes.state} isChosen={state === chosen}>
                      <span>{state}</span>
                      <span className={classes.total}>{formatCount(total, "project")}</span>
                    </StateLink>
                  </li>
                ))}
              </ul>
              {states.length < nigerianStates.length && (
                <p className={classes.rest}>
                  No project runs in the other {formatCount(nigerianStates.length - states.length, "state")}.
                </p>
              )}
            </>
          )}
        </nav>
      </div>
    </Surface>
  );
}

type OutlinesProps = { totals: ReadonlyMap<string, number>; chosen: string | undefined };

function Outlines({ totals, chosen }: OutlinesProps) {
  // The chosen one is drawn last, so that its neighbours don't cover its outline.
  const drawn = [...outlines].sort((one, other) => Number(one.state === chosen) - Number(other.state === chosen));
  return (
    <svg className={classes.outlines} viewBox={map.viewBox} aria-hidden="true">
      {drawn.map(({ state, path }) => {
        const total = totals.get(state) ?? 0;
        const outline = (
          <path d={path} className={classes.outline} data-shade={shadeOf(total)} data-chosen={state === chosen}>
            <title>{`${state}: ${formatCount(total, "project")}`}</title>
          </path>
        );
        if (total === 0) return <g key={state}>{outline}</g>;
        return (
          <StateLink key={state} state={state} isChosen={state === chosen} isForPointer>
            {outline}
          </StateLink>
        );
      })}
    </svg>
  );
}

/** The more projects, the darker. */
const shadeOf = (total: number): "none" | "one" | "some" | "many" => {
  if (total === 0) return "none";
  if (total === 1) return "one";
  return total < 5 ? "some" : "many";
};

type StateLinkProps = {
  state: string;
  isChosen: boolean;
  className?: string | undefined;
  /** It has a twin that the keyboard reaches. */
  isForPointer?: boolean;
  children: ReactNode;
};

/** Chooses a state, or takes the choice back. The router marks the chosen one as current. */
function StateLink({ state, isChosen, className, isForPointer = false, children }: StateLinkProps) {
  return (
    <Link
      from="/discover"
      to="/discover"
      search={(shown) => ({ ...shown, state: isChosen ? undefined : state })}
      replace
      resetScroll={false}
      className={className}
      tabIndex={isForPointer ? -1 : undefined}
      data-chosen={isChosen}
    >
      {children}
    </Link>
  );
}
