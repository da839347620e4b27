import { farmReleaseTexts } from "#shared/payouts/releases-texts.ts";
import { projectAdminTexts, type RoundLock } from "#shared/projects/admin-texts.ts";
import { backingTexts } from "#shared/projects/backings-texts.ts";
import { termsTexts } from "#shared/projects/terms-texts.ts";
import { favoriteTexts, projectTexts } from "#shared/projects/texts.ts";
import { forgetBackingWeights, hasPartToCome } from "./backing-weights.ts";
import { isRoundOver, requireHarvestsOver, sweepHarvests } from "./harvests.ts";
import { carryOutChanges } from "./holder-changes.ts";
import { endAllOn, heldNow, settle, sweep } from "./holds.ts";
import {
  at,
  backs,
  fallingPlan,
  hasApproved,
  type Model,
  notifyBackers,
  outcomeOf,
  type Project,
  projectOfFarmPayout,
  Refused,
  type Round,
  require,
  requireSignedIn,
  roundOf,
  termsAtFirst,
  termsEdited,
  termsInSteps,
} from "./state.ts";

/** Administrators' acts on projects and their backers, and backers' favourites. */

type OnProject = { caller: number; project: number };

const dayMs = 86_400_000;
const daysOfNewProject = 45;
const daysOfEdited = 20;
const daysWhenOver = 30;
/** Lengths of campaigns that the real calls are given. */
export const campaignDays = { ofNew: daysOfNewProject, ofEdited: daysOfEdited };

function findProject(model: Model, project: number, text: string = projectAdminTexts.notFound): Project {
  const found = at(model.projects, project);
  if (found.isRemoved) throw new Refused("not_found", text);
  return found;
}

/** A project's offer. */
export type Offer = { goalKobo: bigint; lots: number; minimumLots: number };
const newRound = ({ goalKobo, lots, minimumLots }: Offer): Round => ({
  lots,
  minimumLots,
  lotPriceKobo: goalKobo / BigInt(lots),
  terms: 1,
  says: termsAtFirst,
  decided: null,
});

export const newProject = (
  title: string,
  { goalKobo, ...offer }: Offer,
  endsAt: number,
  farm: number | null = null,
): Project => ({
  title,
  farm,
  goalKobo,
  round: 1,
  rounds: [newRound({ goalKobo, ...offer })],
  isClosed: false,
  endsAt,
  version: 0,
  isRemoved: false,
});

export function create(model: Model, { caller, title, ...offer }: { caller: number; title: string } & Offer) {
  require(model, caller, "projects:create");
  model.projects.push(newProject(title, offer, model.now + daysOfNewProject * dayMs));
  model.audit.push("create_project");
  return { project: model.projects.length - 1 };
}

export function clone(model: Model, { caller, project }: OnProject) {
  require(model, caller, "projects:create");
  const original = findProject(model, project, projectAdminTexts.originalNotFound);
  const left = original.endsAt > model.now ? Math.ceil((original.endsAt - model.now) / dayMs) : daysWhenOver;
  const { lots, minimumLots } = roundOf(model, project);
  const offer = { goalKobo: original.goalKobo, lots, minimumLots };
  const copy = newProject(`${original.title} (Clone)`, offer, model.now + left * dayMs);
  for (const round of copy.rounds) round.says = roundOf(model, project).says;
  model.projects.push(copy);
  model.audit.push("clone_project");
  return { project: model.projects.length - 1 };
}

/** A project closes by hand, by its time, or by the payment that takes it, whose backer hears of it otherwise. */
export function closeProject(model: Model, project: number, takenBy?: number): void {
  const found = at(model.projects, project);
  found.isClosed = true;
  found.version += 1;
  notifyBackers(model, project, "project_closed", takenBy);
}

export function close(model: Model, { caller, project }: OnProject) {
  require(model, caller, "projects:close");
  if (findProject(model, project).isClosed) throw new Refused("conflict", projectAdminTexts.alreadyClosed);
  model.audit.push("close_project");
  closeProject(model, project);
  return {};
}

/** Hours go by. The job that looks after holds may have died. */
export function letTimePass(model: Model, { hours, isSwept }: { hours: number; isSwept: boolean }) {
  model.now += hours * 3_600_000;
  for (const [index, project] of model.projects.entries()) {
    if (project.isRemoved || project.isClosed || project.endsAt > model.now) continue;
    model.audit.push("close_project");
    closeProject(model, index);
  }
  if (isSwept) {
    sweep(model);
    sweepHarvests(model);
    carryOutChanges(model);
  }
  return {};
}

/** A round that isn't decided goes on, else the next begins; time that has run out becomes thirty days. */
export function reopen(model: Model, { caller, project }: OnProject) {
  require(model, caller, "projects:close");
  const found = findProject(model, project);
  if (!found.isClosed) throw new Refused("conflict", projectAdminTexts.alreadyOpen);
  if (outcomeOf(model, project) !== null) {
    found.rounds.push({ ...roundOf(model, project), terms: roundOf(model, project).terms + 1, decided: null });
    found.round += 1;
  }
  if (found.endsAt <= model.now) found.endsAt = model.now + daysWhenOver * dayMs;
  found.isClosed = false;
  found.version += 1;
  model.audit.push("reopen_project");
  notifyBackers(model, project, "project_reopened");
  return {};
}

export type Edit = OnProject & {
  title: string;
  /** Null keeps the goal as it is. */
  goalKobo: bigint | null;
  /** Null keeps lots and minimum as they are. */
  lots: number | null;
  /** The form was filled just now, or when the project was new. */
  look: "now" | "first";
};

export function edit(model: Model, { caller, project, title, goalKobo, lots, look }: Edit) {
  require(model, caller, "projects:edit");
  const found = findProject(model, project);
  if (look === "first" && found.version > 0) throw new Refused("conflict", projectAdminTexts.changed);
  const now = roundOf(model, project);
  const offer = {
    goalKobo: goalKobo ?? found.goalKobo,
    lots: lots ?? now.lots,
    minimumLots: lots ?? now.minimumLots,
  };
  const areLotsChanged = offer.lots !== now.lots || offer.minimumLots !== now.minimumLots;
  const isChanged = areLotsChanged || offer.goalKobo !== found.goalKobo;
  const lockedBy = isChanged ? lockOf(model, project) : null;
  if (lockedBy && offer.goalKobo !== found.goalKobo)
    throw new Refused("invalid", projectAdminTexts.goalLocked[lockedBy]);
  if (lockedBy && areLotsChanged) throw new Refused("invalid", projectAdminTexts.lotsLocked[lockedBy]);
  if (!lockedBy) Object.assign(now, newRound(offer), { terms: now.terms, says: now.says, decided: now.decided });
  Object.assign(found, { title, goalKobo: offer.goalKobo, endsAt: model.now + daysOfEdited * dayMs });
  found.version += 1;
  model.audit.push("edit_project");
  return {};
}

/**
 * Goal, lots and terms stay while somebody pays or has paid for lots of the round, once it is decided, and while some
 * are held.
 */
function lockOf(model: Model, project: number): RoundLock | null {
  const { round } = at(model.projects, project);
  settle(model, { project, round });
  const isPaid = model.payments.some((it) => it.project === project && it.round === round && it.status !== "rejected");
  if (isPaid) return "paid";
  if (outcomeOf(model, project) !== null) return "decided";
  return heldNow(model, { project, round }) > 0 ? "held" : null;
}

export type TermsEdit = OnProject & { look: "now" | "first"; inSteps: boolean; isPlanned: boolean };

export function editTerms(model: Model, { caller, project, look, inSteps, isPlanned }: TermsEdit) {
  require(model, caller, "projects:edit");
  findProject(model, project);
  const round = roundOf(model, project);
  if (look === "first" && round.terms > 1) throw new Refused("conflict", termsTexts.changed);
  const frozenBy = lockOf(model, project);
  if (frozenBy) throw new Refused("conflict", termsTexts.frozen[frozenBy]);
  round.terms += 1;
  round.says = { ...(inSteps ? termsInSteps : termsEdited), plan: isPlanned ? fallingPlan : [] };
  model.audit.push("edit_terms");
  return {};
}

/** Payments stay, detached, with the title; all that belongs to the project goes. */
export function remove(model: Model, { caller, project }: OnProject) {
  require(model, caller, "projects:delete");
  const found = findProject(model, project);
  requireHarvestsOver(model, project);
  const hasMoney = model.payments.some(
    (it) => it.project === project && it.status === "approved" && !isRoundOver(model, { project, round: it.round }),
  );
  if (hasMoney) throw new Refused("conflict", projectAdminTexts.hasMoney);
  const isFarmOwed = model.payouts.some(
    (payout) =>
      projectOfFarmPayout(model, payout) === project && ["waiting", "due", "in_run", "sent"].includes(payout.state),
  );
  if (isFarmOwed) throw new Refused("conflict", farmReleaseTexts.onItsWay);
  endAllOn(model, project);
  found.isRemoved = true;
  for (const payment of model.payments) {
    if (payment.project === project) Object.assign(payment, { project: null, projectTitle: found.title });
  }
  for (const pairs of [model.grants, model.favorites]) {
    for (const person of pairs.of(project)) pairs.remove(project, person);
  }
  forgetBackingWeights(model, (it) => it.project === project);
  model.audit.push("delete_project");
  return {};
}

type OnBacker = OnProject & { person: number };

export function grant(model: Model, { caller, project, person }: OnBacker) {
  require(model, caller, "projects:edit");
  const { isClosed, isBlocked } = at(model.people, person);
  if (isClosed) throw new Refused("not_found", backingTexts.userNotFound);
  if (backs(model, project, person)) throw new Refused("conflict", backingTexts.alreadyListed);
  findProject(model, project);
  if (isBlocked) throw new Refused("forbidden", backingTexts.userBlocked);
  model.grants.add(project, person);
  model.audit.push("add_backer");
  return {};
}

/** Money that came in is never undone from here. */
export function revokeGrant(model: Model, { caller, project, person }: OnBacker) {
  require(model, caller, "projects:edit");
  findProject(model, project);
  if (hasApproved(model, project, person)) throw new Refused("conflict", backingTexts.supportedByPayment);
  if (!model.grants.has(project, person)) throw new Refused("not_found", backingTexts.notListed);
  if (hasPartToCome(model, { project, person })) throw new Refused("conflict", backingTexts.weightFirst);
  model.grants.remove(project, person);
  forgetBackingWeights(model, (it) => it.project === project && it.person === person);
  model.audit.push("remove_backer");
  return {};
}

export function favorite(model: Model, { caller, project }: OnProject) {
  requireSignedIn(model, caller);
  findProject(model, project, projectTexts.notFound);
  if (model.favorites.has(project, caller)) throw new Refused("conflict", favoriteTexts.already);
  model.favorites.add(project, caller);
  return {};
}

export function unfavorite(model: Model, { caller, project }: OnProject) {
  requireSignedIn(model, caller);
  model.favorites.remove(project, caller);
  return {};
}
