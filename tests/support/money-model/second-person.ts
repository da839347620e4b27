import { ownerLimits, secondPersonTexts as texts } from "#shared/second-person/texts.ts";
import { cast } from "./real.ts";
import { at, isActiveOwner, type Model, Refused, tell } from "./state.ts";

/** Acts that one owner asks for, and another confirms at once. */

export const otherOwners = (model: Model, caller: number): number[] =>
  model.people.flatMap((person, index) => (isActiveOwner(person) && index !== caller ? [index] : []));

/** The two who ask and confirm: in some runs one of them is no owner, isn't any more, or doesn't count yet. */
export const areTwoThere = (model: Readonly<Model>): boolean =>
  [cast.owner, cast.manager].every((index) => {
    const person = at(model.people, index);
    return isActiveOwner(person) && person.isSignedIn && countsFrom(model, index) === null;
  });

/** Returns when an owner counts as one of two; null if they do. On a site without approvals every owner does. */
function countsFrom(model: Readonly<Model>, owner: number): Date | null {
  const from = at(model.people, owner).ownerSince + ownerLimits.countsAfterHours * 3_600_000;
  const isNewSite = !model.papers.some(({ kind }) => kind === "receipt");
  return isNewSite || from <= model.now ? null : new Date(from);
}

/** Refuses what one of two owners made or confirms who doesn't count yet. */
export function requireToCount(model: Model, { madeBy, caller }: { madeBy: number; caller: number }): void {
  const self = countsFrom(model, caller);
  if (self) throw new Refused("forbidden", texts.countsFrom(self));
  const maker = countsFrom(model, madeBy);
  if (maker) throw new Refused("forbidden", texts.makerCountsFrom(maker));
}

export function confirmByTwo(model: Model, ...actions: string[]): void {
  model.audit.push("ask_second_person", "confirm_as_second_person", ...actions);
  tell(model, otherOwners(model, cast.owner), "second_person", cast.owner);
  // What was done is told to every owner, to whoever asked in words of their own.
  tell(model, otherOwners(model, cast.owner), "second_person", cast.manager);
  tell(model, [cast.owner], "second_person", cast.manager);
}
