import { TRPCError } from "@trpc/server";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { farmPeople } from "#server/db/schema/farms.ts";
import { users } from "#server/db/schema/users.ts";
import type { ProcedureMeta } from "#server/platform/procedures.ts";
import { appRouter } from "#server/router.ts";
import { type FarmRole, farmRightsOf, farmRoles } from "#shared/farms/texts.ts";
import { type Grant, grants, permissionsOf, type Role, roles } from "#shared/permissions.ts";
import { openTestDeps } from "#tests/support/deps.ts";
import { createFarmPerson } from "#tests/support/farms.ts";
import { type Caller, callAs, createAdmin } from "#tests/support/people.ts";
import { createFarm } from "#tests/support/projects.ts";

/** Who may call what. Every procedure has a row: a new one without fails the first test. */
const matrix: Record<string, ProcedureMeta["access"]> = {
  "site.page": "public",
  "site.pageVersion": "public",
  "site.figures": "public",
  "site.pages": "settings:manage",
  "site.pageSource": "settings:manage",
  "site.previewPage": "settings:manage",
  "site.savePage": "settings:manage",
  "site.adoptPage": "settings:manage",
  "settings.list": "settings:manage",
  "site.profile": "settings:manage",
  "site.saveCompany": "settings:manage",
  "site.tryColor": "settings:manage",
  "site.saveLook": "settings:manage",
  "alarms.list": "settings:manage",
  "alarms.mail": "settings:manage",
  "setup.open": "public",
  "setup.checkCode": "public",
  "setup.begin": "public",
  "setup.steps": "settings:manage",
  "setup.sendMailCode": "settings:manage",
  "setup.proveMail": "settings:manage",
  "settings.add": "settings:manage",
  "settings.update": "settings:manage",
  "settings.save": "settings:manage",
  "holidays.list": "settings:manage",
  "holidays.add": "settings:manage",
  "holidays.remove": "settings:manage",
  "site.home": "public",
  "site.homeSettings": "settings:manage",
  "site.addTestimonial": "settings:manage",
  "site.hideTestimonial": "settings:manage",
  "bank.accounts": "bank:view",
  "bank.addAccount": "settings:manage",
  "bank.changeAccount": "settings:manage",
  "auditLog.list": "audit:view",
  "auditLog.filters": "audit:view",
  "users.list": "users:manage",
  "users.byId": "users:manage",
  "users.backedProjects": "users:manage",
  "users.block": "users:manage",
  "users.unblock": "users:manage",
  "users.endSessions": "users:manage",
  "admins.list": "users:manage",
  "admins.roles": "roles:manage",
  "admins.addRole": "roles:manage",
  "admins.removeRole": "roles:manage",
  "admins.addGrant": "roles:manage",
  "admins.removeGrant": "roles:manage",
  "admins.deactivate": "users:manage",
  "admins.reactivate": "users:manage",
  "admins.remove": "users:manage",
  "admins.sendPasswordReset": "users:manage",
  "users.account": "backer",
  "users.changeName": "backer",
  "users.requestEmailChange": "backer",
  "users.confirmEmailChange": "public",
  "users.changePassword": "backer",
  "users.sessions": "backer",
  "users.endSession": "backer",
  "users.signOutEverywhere": "backer",
  "users.closing": "backer",
  "users.close": "backer",
  "users.searchForPicker": "projects:edit",
  "twoFactor.status": "administrator",
  "twoFactor.adminsWithout": "settings:manage",
  "twoFactor.start": "administrator",
  "twoFactor.confirm": "administrator",
  "twoFactor.renewRecoveryCodes": "administrator",
  "twoFactor.switchOff": "administrator",
  "team.listInvites": "users:manage",
  "team.invite": "users:manage",
  "team.resendInvite": "users:manage",
  "team.removeInvite": "users:manage",
  "team.inviteByToken": "public",
  "team.acceptInvite": "public",
  "team.acceptInviteSignedIn": "backer",
  "auth.verifySecondFactor": "public",
  "auth.viewer": "public",
  "auth.endReason": "public",
  "auth.formToken": "public",
  "auth.signInState": "public",
  "auth.humanCheck": "public",
  "auth.signUp": "public",
  "auth.mailedLink": "public",
  "auth.confirmEmail": "public",
  "auth.correctSignUp": "public",
  "auth.resendConfirmation": "public",
  "auth.requestPasswordReset": "public",
  "auth.resetPassword": "public",
  "auth.signIn": "public",
  "auth.adminSignIn": "public",
  "auth.finishGoogle": "public",
  "auth.linkGoogleByPassword": "public",
  "auth.linkGoogleWithoutPassword": "public",
  "auth.identities": "backer",
  "auth.linkGoogle": "backer",
  "auth.unlinkGoogle": "backer",
  "auth.signOut": "public",
  "auth.prove": "backer",
  "auth.touch": "backer",
  "notifications.newest": "backer",
  "notifications.list": "backer",
  "notifications.markRead": "backer",
  "notifications.markAllRead": "backer",
  "notifications.mailPreferences": "backer",
  "notifications.setMailPreference": "backer",
  "notifications.mailLink": "public",
  "notifications.setMailPreferenceByLink": "public",
  "projects.featured": "public",
  "projects.count": "public",
  "projects.countByState": "public",
  "projects.looseFilter": "public",
  "projects.list": "public",
  "projects.byId": "public",
  "reports.record": "public",
  "reports.open": "public",
  "reports.send": "public",
  "reports.ask": "backer",
  "reports.canAsk": "backer",
  "reports.links": "backer",
  "reports.makeLink": "backer",
  "reports.revokeLink": "backer",
  "reports.list": "projects:view",
  "reports.savePlan": "projects:edit",
  "reports.publish": "projects:edit",
  "reports.sendBack": "projects:edit",
  "reports.decideFinding": "projects:edit",
  "reports.excuse": "projects:edit",
  "reports.withdrawExcuse": "projects:edit",
  "dashboard.projects": "projects:view",
  "dashboard.counts": "projects:view",
  "dashboard.today": "projects:view",
  "dashboard.todayItems": "projects:view",
  "projects.forEdit": "projects:edit",
  "projects.create": "projects:create",
  "projects.defaultTerms": "projects:create",
  "projects.updateTerms": "projects:edit",
  "projects.update": "projects:edit",
  "projects.close": "projects:close",
  "projects.reopen": "projects:close",
  "projects.clone": "projects:create",
  "projects.deletion": "projects:delete",
  "projects.delete": "projects:delete",
  "favorites.ids": "backer",
  "favorites.mine": "backer",
  "favorites.add": "backer",
  "favorites.remove": "backer",
  "savedSearches.mine": "backer",
  "savedSearches.save": "backer",
  "savedSearches.rename": "backer",
  "savedSearches.stop": "backer",
  "savedSearches.byLink": "public",
  "savedSearches.stopByLink": "public",
  "savedSearches.undoStop": "backer",
  "savedSearches.undoStopByLink": "public",
  "backings.mine": "backer",
  "tasks.mine": "backer",
  "backings.project": "backer",
  "backings.listForProject": "projects:edit",
  "backings.grant": "projects:edit",
  "backings.revokeGrant": "projects:edit",
  "updates.list": "public",
  "updates.publish": "projects:edit",
  "messages.list": "backer",
  "messages.send": "backer",
  "messages.dismiss": "projects:edit",
  "media.gallery": "public",
  "media.livestreams": "backer",
  "media.ofType": "projects:view",
  "media.addYoutube": "projects:edit",
  "media.addLivestream": "projects:edit",
  "media.remove": "projects:edit",
  "bank.overview": "bank:view",
  "bank.lines": "bank:view",
  "bank.line": "bank:view",
  "bank.imports": "bank:view",
  "bank.counterLines": "bank:import",
  "bank.payouts": "bank:import",
  "bank.saleCredits": "bank:import",
  "bank.credits": "bank:import",
  "bank.releases": "bank:import",
  "bank.purchases": "bank:import",
  "bank.voids": "bank:view",
  "bank.closeAccount": "settings:manage",
  "bank.reopenAccount": "settings:manage",
  "bank.sales": "bank:import",
  "bank.harvests": "bank:import",
  "bank.match": "bank:import",
  "bank.undo": "bank:import",
  "bank.importProgress": "bank:view",
  "bank.charges": "bank:view",
  "bank.matchCharges": "bank:import",
  "bank.changeChargeTexts": "bank:import",
  "bank.listSurePayments": "bank:view",
  "bank.confirmSurePayments": "payments:process",
  "payments.open": "backer",
  "payments.begin": "backer",
  "holds.release": "backer",
  "holds.join": "backer",
  "holds.leave": "backer",
  "holds.list": "payments:view",
  "holds.end": "payments:process",
  "holds.extend": "payments:process",
  "payments.reduceToArrived": "backer",
  "bank.useSurplus": "backer",
  "payments.listMyPending": "backer",
  "payments.listMyPurchases": "backer",
  "farms.list": "projects:edit",
  "farms.search": "projects:edit",
  "farms.one": "projects:edit",
  "farms.create": "projects:edit",
  "farms.update": "projects:edit",
  "farms.close": "projects:edit",
  "farms.reopen": "projects:edit",
  "farms.invite": "projects:edit",
  "farms.resendInvite": "projects:edit",
  "farms.revokeInvite": "projects:edit",
  "farms.changeRole": "projects:edit",
  "farms.endPerson": "projects:edit",
  "farms.inviteByToken": "public",
  "farms.acceptInvite": "backer",
  "farmPages.page": "public",
  "farmPages.record": "public",
  "farms.mine": "farm:report",
  "farms.money": "farm:keep",
  "farmHarvests.ofProject": "farm:keep",
  "farmHarvests.one": "farm:keep",
  "farmHarvests.draft": "farm:keep",
  "farmHarvests.change": "farm:keep",
  "farmHarvests.addFile": "farm:keep",
  "farmHarvests.addCost": "farm:keep",
  "farmHarvests.removeCost": "farm:keep",
  "farmHarvests.collection": "farm:keep",
  "farmHarvests.findProduce": "farm:keep",
  "farmHarvests.collect": "farm:keep",
  "farmPast.ofFarm": "projects:edit",
  "farmPast.enter": "projects:edit",
  "farmPast.confirm": "payments:process",
  "farmPast.refuse": "payments:process",
  "farmPast.withdraw": "projects:edit",
  "farmPast.withdrawAsKeeper": "farm:keep",
  "farmPast.kept": "farm:keep",
  "farmPast.enterAsKeeper": "farm:keep",
  "farmReleases.account": "payouts:view",
  "farmReleases.ofProject": "payouts:view",
  "farmReleases.release": "payouts:process",
  "farmReleases.takeBack": "payouts:process",
  "roundReturns.ofProject": "payouts:view",
  "roundReturns.preview": "payouts:process",
  "releaseParts.whereMoneyIs": "public",
  "releaseParts.ofProject": "harvests:view",
  "releaseParts.ask": "harvests:manage",
  "releaseParts.check": "harvests:manage",
  "releaseParts.refuse": "harvests:manage",
  "releaseParts.decideFinding": "harvests:manage",
  "farmReleaseParts.ofProject": "farm:keep",
  "farmReleaseParts.ask": "farm:keep",
  "payeeAccounts.mine": "backer",
  "payeeAccounts.check": "backer",
  "payeeAccounts.set": "backer",
  "payments.list": "payments:view",
  "payments.statusCounts": "payments:view",
  "payments.projects": "payments:view",
  "payments.details": "payments:view",
  "site.openChange": "backer",
  "site.agree": "backer",
  "site.ownAgreements": "backer",
  "site.agreements": "users:manage",
  "site.agreedText": "backer",
  "dashboard.waiting": "payments:process",
  "dashboard.money": "payments:view",
  "receipts.link": "backer",
  "books.trialBalance": "books:close",
  "books.entries": "books:close",
  "books.closings": "books:close",
  "books.close": "books:close",
  "papers.mine": "backer",
  "papers.list": "payments:view",
  "papers.find": "backer",
  "papers.statement": "backer",
  "papers.statementOf": "payments:view",
  "papers.taxList": "payments:view",
  "papers.verify": "public",
  "payments.setStatus": "payments:process",
  "holderChanges.mine": "backer",
  "holderChanges.object": "backer",
  "holderChanges.running": "payments:process",
  "holderChanges.preview": "payments:process",
  "holderChanges.stop": "payments:process",
  "payments.saidPaid": "payouts:view",
  "payments.giveUnallocatedBack": "payments:process",
  "payments.takeRefundBack": "payments:process",
  "payments.roundToDecide": "payments:process",
  "payments.decideRound": "payments:process",
  "writeOffs.rounds": "payments:process",
  "secondPerson.list": "payments:process",
  "secondPerson.ask": "payments:process",
  "secondPerson.confirm": "payments:process",
  "secondPerson.decline": "payments:process",
  "secondPerson.withdraw": "payments:process",
  "harvests.ofProject": "harvests:view",
  "harvests.one": "harvests:view",
  "harvests.parts": "harvests:view",
  "harvests.create": "harvests:manage",
  "harvests.createInsurance": "harvests:manage",
  "harvests.update": "harvests:manage",
  "harvests.open": "harvests:manage",
  "harvests.lower": "harvests:manage",
  "harvests.withdraw": "harvests:manage",
  "harvests.addFile": "harvests:manage",
  "harvests.addCost": "harvests:manage",
  "harvests.removeCost": "harvests:manage",
  "harvests.addSale": "harvests:manage",
  "harvests.setSaleQuantity": "harvests:manage",
  "harvests.collection": "harvests:view",
  "harvests.findProduce": "harvests:manage",
  "harvests.collect": "harvests:manage",
  "harvests.preview": "harvests:settle",
  "harvests.settle": "harvests:settle",
  "harvests.reverse": "harvests:settle",
  "harvests.finish": "harvests:settle",
  "harvests.mine": "backer",
  "harvests.choose": "backer",
  "payouts.overview": "payouts:view",
  "payouts.due": "payouts:view",
  "payouts.list": "payouts:view",
  "payouts.runs": "payouts:view",
  "payouts.run": "payouts:view",
  "payouts.makeRun": "payouts:process",
  "payouts.approveRun": "payouts:process",
  "payouts.voidRun": "payouts:process",
  "payouts.exportRun": "payouts:process",
  "payouts.giveRun": "payouts:process",
  "payouts.addRunLayout": "payouts:process",
  "payouts.withhold": "payouts:process",
  "payouts.markPaid": "payouts:process",
  "careers.applicants": "users:manage",
  "careers.applicantCounts": "users:manage",
  "careers.applicant": "users:manage",
  "careers.setApplicantStatus": "users:manage",
  "careers.resumeLink": "users:manage",
  "contact.send": "public",
  "contact.messages": "users:manage",
  "contact.counts": "users:manage",
  "contact.message": "users:manage",
  "contact.setRead": "users:manage",
};

const actors = [
  "anonymous",
  "backer",
  "reporter",
  "keeper",
  "former keeper",
  "viewer",
  "manager",
  "owner",
  "accountant",
  "cashier",
  "blocked",
] as const;
type ActorName = (typeof actors)[number];

const deps = await openTestDeps();
const callers = new Map<ActorName, Caller>();

beforeAll(async () => {
  for (const actor of ["anonymous", "backer", "viewer", "manager", "owner"] as const)
    callers.set(actor, await callAs(deps, actor));
  for (const grant of grants) callers.set(grant, await callAs(deps, grant));
  const farm = await createFarm(deps.db);
  for (const role of farmRoles) callers.set(role, await callAs(deps, await createFarmPerson(deps.db, farm.id, role)));
  const former = await createFarmPerson(deps.db, farm.id, "keeper");
  callers.set("former keeper", await callAs(deps, former));
  await deps.db.update(farmPeople).set({ endedAt: deps.clock.now() }).where(eq(farmPeople.userId, former.id));
  const owner = await createAdmin(deps.db, "owner");
  callers.set("blocked", await callAs(deps, owner));
  // Blocking ends sessions too; here the session is left, so that the guard itself is tested.
  await deps.db.update(users).set({ isBlocked: true }).where(eq(users.id, owner.id));
});

// At run time this is flat, a path to each procedure; its type is nested.
const flat: object = appRouter._def.procedures;
const procedures: Record<string, { _def: { meta?: ProcedureMeta } }> = Object.fromEntries(Object.entries(flat));

test("every procedure has a row, and every row a procedure", () => {
  expect(Object.keys(procedures).sort()).toEqual(Object.keys(matrix).sort());
  for (const [path, access] of Object.entries(matrix))
    expect([path, procedures[path]?._def.meta?.access]).toEqual([path, access]);
});

const isFarmRole = (actor: ActorName): actor is FarmRole => farmRoles.some((role) => role === actor);
const isRole = (actor: ActorName): actor is Role => roles.some((role) => role === actor);
const isGrant = (actor: ActorName): actor is Grant => grants.some((grant) => grant === actor);
const isAdmin = (actor: ActorName): boolean => isRole(actor) || isGrant(actor);

function isAllowed(actor: ActorName, access: ProcedureMeta["access"]): boolean {
  if (access === "public") return true;
  if (actor === "anonymous" || actor === "blocked") return false;
  if (access === "backer") return true;
  if (isFarmAccess(access)) return isFarmRole(actor) && farmRightsOf[actor].some((right) => access === `farm:${right}`);
  if (access === "administrator") return isAdmin(actor);
  return permissionsOf({
    isAdmin: isAdmin(actor),
    roles: isRole(actor) ? [actor] : [],
    grants: isGrant(actor) ? [actor] : [],
  }).includes(access);
}

const isFarmAccess = (access: ProcedureMeta["access"]) => access === "farm:report" || access === "farm:keep";

function expectedRefusal(actor: ActorName, access: ProcedureMeta["access"]): string | null {
  if (isAllowed(actor, access)) return null;
  if (actor === "anonymous" || actor === "blocked") return "UNAUTHORIZED: Authentication required";
  return isFarmAccess(access) ? "FORBIDDEN: This is for the people of a farm." : "FORBIDDEN: Admin privileges required";
}

/**
 * Returns the guard's refusal, or null if the call got past it. The input is malformed and refused after the guard, so
 * that no call changes anything.
 */
async function refusalOf(actor: ActorName, path: string): Promise<string | null> {
  const caller = callers.get(actor);
  if (!caller) throw new Error(`no caller for ${actor}`);
  const [area, name] = path.split(".") as [keyof Caller, string];
  const procedure = (caller[area] as Record<string, (input: unknown) => Promise<unknown>>)[name];
  if (!procedure) throw new Error(`no procedure ${path}`);
  try {
    await procedure(path === "auth.signOut" ? undefined : { malformed: true });
    return null;
  } catch (error) {
    const isRefused = error instanceof TRPCError && ["UNAUTHORIZED", "FORBIDDEN"].includes(error.code);
    return isRefused ? `${error.code}: ${error.message}` : null;
  }
}

// What ends all of a caller's sessions comes last.
const last = "users.signOutEverywhere";
const walked = Object.entries(matrix)
  .filter(([path]) => path !== "auth.signOut")
  .sort(([a], [b]) => Number(a === last) - Number(b === last));

describe.each(walked)("%s", (path, access) => {
  test.each(actors)("%s", async (actor) => {
    expect(await refusalOf(actor, path)).toBe(expectedRefusal(actor, access));
  });
});
