import fc from "fast-check";
import { roles } from "#shared/permissions.ts";
import * as calls from "#tests/support/money-model/calls.ts";
import { command } from "#tests/support/money-model/command.ts";
import * as people from "#tests/support/money-model/people.ts";
import { at, type Model } from "#tests/support/money-model/state.ts";
import { owner, person, place, placesOf, type Weighted } from "./drawn.ts";

/** Accounts and rights. */

const byOwnerOnPerson = fc.record({ caller: owner, person });

const signedOut = (model: Model) => placesOf(model.people, (it) => !it.isSignedIn && !it.isClosed);
const invited = (model: Model) =>
  placesOf(model.people, (it) => model.invites.some(({ email, isUsed }) => email === it.email && !isUsed));
const isOpenAccount = (model: Model, { person }: { person: number }) => !at(model.people, person).isClosed;

export const ofPeople = {
  "sign up": command(
    1,
    fc.record({ email: fc.constantFrom("ada@example.com", "obi@example.com"), fullName: fc.constant("Ada Obi") }),
    { call: calls.signUp, rule: people.signUp },
  ),
  "sign in": command(3, fc.record({ person: place }), {
    isPossible: (model, args) => signedOut(model).includes(args.person),
    aims: (model) => signedOut(model).map((person) => ({ person })),
    call: calls.signIn,
    rule: people.signIn,
  }),
  block: command(2, byOwnerOnPerson, { call: calls.block, rule: people.block }),
  unblock: command(2, byOwnerOnPerson, {
    needs: (model) => placesOf(model.people, ({ isBlocked }) => isBlocked).map((person) => ({ person })),
    call: calls.unblock,
    rule: people.unblock,
  }),
  invite: command(2, fc.record({ caller: owner, person, role: fc.constantFrom(...roles) }), {
    isPossible: isOpenAccount,
    call: calls.invite,
    rule: people.invite,
  }),
  "accept an invitation": command(2, fc.record({ caller: place }), {
    // Whoever bought lots decides on nobody's.
    isPossible: (model, { caller }) =>
      model.invites.some(({ email }) => email === at(model.people, caller).email) &&
      !model.references.some((it) => it.person === caller),
    aims: (model) => invited(model).map((caller) => ({ caller })),
    call: calls.acceptInvite,
    rule: people.acceptInvite,
  }),
  "take an administrator's rights": command(1, fc.record({ caller: owner, person: place }), {
    call: calls.removeAdmin,
    rule: people.removeAdmin,
  }),
  "close the own account": command(1, fc.record({ caller: place }), {
    // Whoever goes without anything to come leaves no bank account behind, which the model doesn't follow.
    isPossible: ({ accounts, payouts }, { caller }) =>
      !accounts.some(({ payee }) => payee === caller) ||
      payouts.some(({ payee, state }) => payee === caller && ["waiting", "due", "in_run", "sent"].includes(state)),
    call: calls.closeAccount,
    rule: people.closeAccount,
  }),
} satisfies Weighted;
