import fc from "fast-check";
import type { Command } from "#tests/support/money-model/command.ts";
import * as holds from "#tests/support/money-model/holds.ts";
import { cast } from "#tests/support/money-model/real.ts";
import type { Model, Payment, Project } from "#tests/support/money-model/state.ts";

/** Arbitraries that draw commands and their targets. Mostly, people do what they may. */

/** Commands by their names, and how often each is drawn. */
export type Weighted<Name extends string = string> = Readonly<
  Record<Name, readonly [weight: number, commandOf: (name: string) => fc.Arbitrary<Command>]>
>;

/** These commands of a group. */
export const only = <Name extends string>(group: Weighted<Name>, ...names: NoInfer<Name>[]): Weighted =>
  that(group, (name) => names.some((it) => it === name));
/** All commands of a group but these. */
export const without = <Name extends string>(group: Weighted<Name>, ...names: NoInfer<Name>[]): Weighted =>
  that(group, (name) => names.every((it) => it !== name));
const that = (group: Weighted, isIt: (name: string) => boolean): Weighted =>
  Object.fromEntries(Object.entries(group).filter(([name]) => isIt(name)));

/** A group that is drawn more often than its commands say. */
export const times = (factor: number, group: Weighted): Weighted => reweighed(group, (weight) => weight * factor);
/** A group of which each command is drawn as often. */
export const each = (weight: number, group: Weighted): Weighted => reweighed(group, () => weight);
const reweighed = (group: Weighted, to: (weight: number) => number): Weighted =>
  Object.fromEntries(Object.entries(group).map(([name, [weight, commandOf]]) => [name, [to(weight), commandOf]]));

/** Draws of all these commands. */
export const oneOf = (...groups: Weighted[]) =>
  fc.oneof(
    ...groups
      .flatMap((group) => Object.entries(group))
      .map(([name, [weight, commandOf]]) => ({ weight, arbitrary: commandOf(name) })),
  );

export const often = <First, Other>(weight: number, first: fc.Arbitrary<First>, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight, arbitrary: first }, { weight: 1, arbitrary: other });
/** True so many times of one more; false so many times. */
export const mostly = (weight: number) => often(weight, fc.constant(true), fc.constant(false));
export const seldom = (weight: number) => mostly(weight).map((isIt) => !isIt);
export const place = fc.nat({ max: 11 });
export const backer = fc.nat({ max: cast.backers - 1 });
export const owner = often(5, fc.constant(cast.owner), place);
export const manager = often(1, often(5, fc.constant(cast.manager), place), owner);
export const anyBacker = often(6, backer, place);
/** Most of what is worth seeing happens between few people on one project. */
export const project = often(1, fc.constant(0), place);
export const person = often(3, backer, place);
export const look = often(5, fc.constant("now" as const), fc.constant("first" as const));

/** Mostly one lot, so that several people share a round. */
export const lots = fc.constantFrom(1, 1, 1, 2, 3);

export const byBackerOnProject = fc.record({ caller: anyBacker, project });
export const byManagerOnProject = fc.record({ caller: manager, project });

export const placesOf = <Item>(list: readonly Item[], isIt: (item: Item) => boolean) =>
  list.flatMap((item, index) => (isIt(item) ? [index] : []));
export const paymentsThat = (isIt: (it: Payment) => boolean) => (model: Model) =>
  placesOf(model.payments, isIt).map((payment) => ({ payment }));
export const projectsThat = (isIt: (it: Project) => boolean) => (model: Model) =>
  placesOf(model.projects, isIt).map((project) => ({ project }));

/** Backers who hold nothing of an open project's round, and how many of its lots are free. */
export const placesToHold = (isIt: (place: { free: number }) => boolean) => (model: Model) =>
  model.projects.flatMap(({ isClosed, isRemoved, round }, project) => {
    if (isClosed || isRemoved || !isIt({ free: holds.freeLots(model, { project, round }) })) return [];
    const isHolder = (person: number) =>
      model.holds.some((it) => it.project === project && it.person === person && holds.stands(model, it));
    return [...model.people.keys()]
      .filter((person) => person < cast.backers && !isHolder(person))
      .map((caller) => ({ caller, project }));
  });

export const grantsThatStand = ({ projects, grants }: Model) =>
  [...projects.keys()].flatMap((project) => grants.of(project).map((person) => ({ project, person })));
