import { cast } from "./real.ts";
import { at, isActiveOwner, type Model, tell } from "./state.ts";

/** Acts that one owner asks for, and another confirms at once. */

export const otherOwners = (model: Model, caller: number): number[] =>
  model.people.flatMap((person, index) => (isActiveOwner(person) && index !== caller ? [index] : []));

/** The two who ask and confirm: in some runs one of them is no owner, or isn't any more. */
export const areTwoThere = (model: Readonly<Model>): boolean =>
  [cast.owner, cast.manager].every((index) => {
    const person = at(model.people, index);
    return isActiveOwner(person) && person.isSignedIn;
  });

export function confirmByTwo(model: Model, ...actions: string[]): void {
  model.audit.push("ask_second_person", "confirm_as_second_person", ...actions);
  tell(model, otherOwners(model, cast.owner), "second_person", cast.owner);
  // What was done is told to every owner, to whoever asked in words of their own.
  tell(model, otherOwners(model, cast.owner), "second_person", cast.manager);
  tell(model, [cast.owner], "second_person", cast.manager);
}
