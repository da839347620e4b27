import { authTexts } from "#shared/accounts/inputs.ts";
import { accountTexts, closedName } from "#shared/accounts/texts.ts";
import { formatNaira } from "#shared/money.ts";
import { holderChangeTexts } from "#shared/payments/holder-changes-texts.ts";
import type { PayoutState } from "#shared/payouts/texts.ts";
import { inviteFaultTexts, inviteHours, inviteTexts } from "#shared/people/team-texts.ts";
import { adminTexts } from "#shared/people/texts.ts";
import { permissionsOf, type Role } from "#shared/permissions.ts";
import { endAllOf, leaveAllLists, stands } from "./holds.ts";
import {
  at,
  isActiveOwner,
  type Model,
  newPerson,
  outcomeOf,
  type Person,
  Refused,
  require,
  requireSignedIn,
  unallocatedKobo,
} from "./state.ts";

/** Accounts and rights, as far as they decide who may move money (product decisions 2.1 to 2.4). */

export function signUp(model: Model, { email, fullName }: { email: string; fullName: string }) {
  if (model.people.some((person) => person.email === email)) throw new Refused("conflict", authTexts.emailTaken);
  model.people.push(newPerson(email, fullName, { isVerified: false }));
  return { person: model.people.length - 1 };
}

/** With the right password. */
export function signIn(model: Model, { person: index }: { person: number }) {
  const person = at(model.people, index);
  if (person.isClosed) throw new Refused("invalid", authTexts.wrongCredentials);
  if (person.isBlocked) throw new Refused("forbidden", authTexts.blocked);
  person.isSignedIn = true;
  if (person.isAdmin) model.audit.push("admin_login");
  return {};
}

function requireOtherOwner(model: Model, index: number): void {
  const owners = model.people.filter(isActiveOwner);
  if (owners.length === 1 && owners[0] === at(model.people, index)) {
    throw new Refused("conflict", accountTexts.lastOwner);
  }
}

function beginOwning(model: Model, person: Person): void {
  if (isActiveOwner(person)) person.ownerSince = model.now;
}

function endOwning(model: Model, person: Person): void {
  if (isActiveOwner(person)) person.ownerUntil = model.now;
}

type OnPerson = { caller: number; person: number };

/** Ends every session. Asked for twice, it is done once. */
export function block(model: Model, { caller, person: index }: OnPerson) {
  require(model, caller, "users:manage");
  if (caller === index) throw new Refused("forbidden", adminTexts.ownAccount);
  requireOtherOwner(model, index);
  const person = at(model.people, index);
  if (person.isClosed) throw new Refused("not_found", adminTexts.userNotFound);
  endAllOf(model, index);
  if (person.isBlocked) return {};
  endOwning(model, person);
  Object.assign(person, { isBlocked: true, blockedAt: model.now, isSignedIn: false });
  model.audit.push("block_user");
  return {};
}

export function unblock(model: Model, { caller, person: index }: OnPerson) {
  require(model, caller, "users:manage");
  const person = at(model.people, index);
  if (person.isClosed) throw new Refused("not_found", adminTexts.userNotFound);
  if (!person.isBlocked) return {};
  person.isBlocked = false;
  beginOwning(model, person);
  model.audit.push("unblock_user");
  return {};
}

/** The account stays, as a backer's. */
export function removeAdmin(model: Model, { caller, person: index }: OnPerson) {
  require(model, caller, "users:manage");
  if (caller === index) throw new Refused("forbidden", adminTexts.ownAccount);
  requireOtherOwner(model, index);
  const person = at(model.people, index);
  if (person.isClosed) throw new Refused("not_found", adminTexts.userNotFound);
  if (!person.isAdmin && person.roles.length === 0) throw new Refused("conflict", adminTexts.notAdmin);
  endOwning(model, person);
  Object.assign(person, { isAdmin: false, roles: [], isSignedIn: false });
  model.audit.push("remove_admin");
  return {};
}

export function invite(model: Model, { caller, person: index, role }: OnPerson & { role: Role }) {
  const inviter = require(model, caller, "users:manage");
  const invitee = at(model.people, index);
  if (inviter.email === invitee.email) throw new Refused("invalid", inviteTexts.ownInvite);
  if (invitee.isAdmin) throw new Refused("conflict", inviteTexts.alreadyAdmin);
  if (invitee.isBlocked) throw new Refused("conflict", inviteTexts.blockedAccount);
  const { email } = invitee;
  const isOpen = model.invites.some((it) => it.email === email && !it.isUsed);
  model.invites = model.invites.filter((it) => it.email !== email || it.isUsed);
  model.invites.push({ email, role, invitedBy: caller, at: model.now, isUsed: false });
  model.audit.push("invite_admin");
  return { status: isOpen ? "re-invited" : "invited" };
}

/** By the latest link that was mailed to the caller. An invitation is worth what its inviter may do now. */
export function acceptInvite(model: Model, { caller }: { caller: number }) {
  const person = requireSignedIn(model, caller);
  const latest = model.invites.findLast((it) => it.email === person.email);
  if (!latest) throw new Error("accepts what was sent only");
  if (latest.isUsed) throw new Refused("conflict", inviteFaultTexts.used);
  if (model.now - latest.at >= inviteHours * 3_600_000) throw new Refused("conflict", inviteFaultTexts.expired);
  const inviter = at(model.people, latest.invitedBy);
  if (inviter.isBlocked || !permissionsOf(inviter).includes("users:manage")) {
    throw new Refused("conflict", inviteFaultTexts.withdrawn);
  }
  if (!person.isVerified) throw new Refused("conflict", inviteTexts.passwordFirst);
  latest.isUsed = true;
  const kept = person.isAdmin ? person.roles : [];
  const wasOwner = isActiveOwner(person);
  Object.assign(person, { isAdmin: true, roles: [...new Set([...kept, latest.role])] });
  if (!wasOwner) beginOwning(model, person);
  model.audit.push("accept_admin_invite", "admin_login");
  return {};
}

/** The person goes; what they backed and paid stays without their name, but for where to send back what waits. */
export function closeAccount(model: Model, { caller }: { caller: number }) {
  const person = requireSignedIn(model, caller);
  requireOtherOwner(model, caller);
  const own = model.payments.filter((it) => it.person === caller);
  const owed = (...states: PayoutState[]) =>
    model.payouts
      .filter(({ payee, state }) => payee === caller && states.includes(state))
      .reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
  const due = owed("waiting", "due", "in_run");
  const dueText = owed("waiting") > 0n ? accountTexts.moneyDue : accountTexts.moneyComing;
  if (due > 0n) throw new Refused("conflict", dueText(formatNaira(due)));
  if (owed("sent") > 0n) throw new Refused("conflict", accountTexts.moneyOnItsWay(formatNaira(owed("sent"))));
  if (own.some(({ status }) => status === "pending")) throw new Refused("conflict", accountTexts.paymentPending);
  const held = own.reduce((sum, payment) => sum + unallocatedKobo(payment), 0n);
  if (held > 0n) throw new Refused("conflict", accountTexts.moneyUnallocated(formatNaira(held)));
  const undecided = own.find(
    ({ project, status, round }) =>
      project !== null && status === "approved" && outcomeOf(model, project, round) === null,
  );
  if (undecided) {
    throw new Refused("conflict", accountTexts.farmUndecided(at(model.projects, undecided.project ?? 0).title));
  }
  if (model.holds.some((it) => it.person === caller && stands(model, it))) {
    throw new Refused("conflict", accountTexts.lotsHeld);
  }
  const ends = model.changes
    .filter(({ outcome, from, to }) => outcome === null && (from === caller || to === caller))
    .map(({ until }) => until);
  if (ends.length > 0) throw new Refused("conflict", holderChangeTexts.keepsOpen(new Date(Math.min(...ends))));
  leaveAllLists(model, caller);
  if (person.isAdmin) model.audit.push("close_account");
  for (const project of model.projects.keys()) model.favorites.remove(project, caller);
  model.invites = model.invites.filter((it) => it.email !== person.email || !it.isUsed);
  for (const other of model.people) other.told = other.told.filter(({ about }) => about !== caller);
  endOwning(model, person);
  const { ownerUntil } = person;
  Object.assign(
    person,
    newPerson("", closedName, { isVerified: false, isClosed: true, isSignedIn: false, ownerUntil }),
  );
  return {};
}
