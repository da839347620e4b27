import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useLive } from "#client/lib/live.ts";
import { trpc } from "#client/lib/trpc.ts";
import { TextLink } from "#client/ui/layout/text-link.tsx";
import { formatNairaExact } from "#shared/money.ts";
import { formatQuantity } from "#shared/projects/terms-texts.ts";
import classes from "./own-harvest-card.module.css";
import {
  choiceText,
  deadlineText,
  harvestName,
  type OwnHarvest,
  type Standing,
  soldText,
  standingOf,
} from "./own-harvest-words.ts";

/** The order of cards: the most urgent for the reader first. */
const urgency: Record<Standing, number> = {
  choose: 1,
  collect: 2,
  chosen: 3,
  closing: 4,
  selling: 5,
  settled: 6,
  lost: 7,
  done: 8,
  withdrawn: 9,
};

/**
 * The harvest that the reader should look at next, in a few lines. Nothing while there is none. It stands on every tab, so
 * that it follows what changes for the tab Harvest too.
 */
export function OwnHarvestCard({ projectId, onOpen }: { projectId: number; onOpen: () => void }) {
  const utils = trpc.useUtils();
  useLive("harvests", (ofProject) => {
    if (ofProject === null || ofProject === projectId) void utils.harvests.mine.invalidate({ projectId });
  });
  const { data } = trpc.harvests.mine.useQuery({ projectId }, { staleTime: 0 });
  const [next] = [...(data ?? [])].sort((a, b) => urgency[standingOf(a)] - urgency[standingOf(b)]);
  if (!next) return null;
  const standing = standingOf(next);
  return (
    <section className={classes.card} aria-labelledby="own-harvest">
      <h2 id="own-harvest" className={classes.cardTitle}>
        Harvest
      </h2>
      <p>
        <strong>{harvestName(next)}.</strong> {textOf(next, standing)}
      </p>
      <Button variant={standing === "choose" || standing === "collect" ? "filled" : "default"} onClick={onOpen}>
        {standing === "choose" ? "Choose now" : standing === "collect" ? "Show your code" : "See your harvest"}
      </Button>
    </section>
  );
}

/** How it stands, and what comes next. */
function textOf(harvest: OwnHarvest, standing: Standing): ReactNode {
  const { mine, unit, choosesUntil, collectsUntil, collectionPlace, now, settlements } = harvest;
  const part = mine ? formatQuantity(mine.quantity, unit) : "";
  const netKobo = settlements.reduce(
    (sum, settlement) => sum + settlement.mine.netKobo - settlement.mine.struckKobo,
    0n,
  );
  switch (standing) {
    case "choose":
      return `Your share is ${part}. Choose until ${choosesUntil ? deadlineText(choosesUntil, now) : ""}.`;
    case "chosen":
      return `Your share is ${part}. You have chosen, and can change it until ${choosesUntil ? deadlineText(choosesUntil, now) : ""}.`;
    case "collect": {
      const taken = mine ? formatQuantity(mine.taken, unit) : "";
      const place = collectionPlace ? ` at ${collectionPlace},` : "";
      return `Collect ${taken}${place} until ${collectsUntil ? deadlineText(collectsUntil, now) : ""}.`;
    }
    case "closing":
      return `Choosing is over. ${mine ? choiceText(mine, unit) : ""} We tell you what comes next.`;
    case "lost":
      return "It is lost. Read what happened.";
    case "withdrawn":
      return "It was withdrawn. There is nothing to choose.";
    default:
      if (netKobo > 0n) {
        return (
          <>
            You get {formatNairaExact(netKobo)} of it.{" "}
            <TextLink to="/profile" search={{ tab: "money" }}>
              See when we pay you
            </TextLink>
          </>
        );
      }
      return mine ? `Your share is ${part}. ${soldText(harvest, mine)}` : "";
  }
}
