import { authRouter, twoFactorRouter } from "#server/accounts/router.ts";
import { alarmsRouter } from "#server/features/alarms/router.ts";
import { auditLogRouter } from "#server/features/audit-log/router.ts";
import { bankRouter } from "#server/features/bank/router.ts";
import { booksRouter } from "#server/features/books/router.ts";
import { careersRouter } from "#server/features/careers/router.ts";
import { contactRouter } from "#server/features/contact/router.ts";
import { dashboardRouter } from "#server/features/dashboard/router.ts";
import { farmPagesRouter } from "#server/features/farm-pages/router.ts";
import { farmPastRouter } from "#server/features/farm-past/router.ts";
import { farmsRouter } from "#server/features/farms/router.ts";
import { farmHarvestsRouter } from "#server/features/harvests/farm-router.ts";
import { harvestsRouter } from "#server/features/harvests/router.ts";
import { holidaysRouter } from "#server/features/holidays/router.ts";
import { notificationsRouter } from "#server/features/notifications/router.ts";
import { papersRouter } from "#server/features/papers/router.ts";
import { buyingRouter, receiptsRouter } from "#server/features/payments/buying/router.ts";
import { holderChangesRouter } from "#server/features/payments/holder-changes/router.ts";
import { reviewRouter } from "#server/features/payments/review/router.ts";
import { unallocatedRouter } from "#server/features/payments/unallocated/router.ts";
import { payeeAccountsRouter } from "#server/features/payouts/payee-accounts/router.ts";
import { farmReleasePartsRouter, releasePartsRouter } from "#server/features/payouts/release-parts/router.ts";
import { farmReleasesRouter } from "#server/features/payouts/releases/router.ts";
import { roundReturnsRouter } from "#server/features/payouts/returns/router.ts";
import { payoutsRouter } from "#server/features/payouts/router.ts";
import { adminsRouter } from "#server/features/people/admins/router.ts";
import { teamRouter } from "#server/features/people/team/router.ts";
import { usersRouter } from "#server/features/people/users/router.ts";
import { backingsRouter } from "#server/features/projects/backings/router.ts";
import { favoritesRouter } from "#server/features/projects/favorites/router.ts";
import { holdsRouter } from "#server/features/projects/holds/router.ts";
import { mediaRouter } from "#server/features/projects/media/router.ts";
import { messagesRouter } from "#server/features/projects/messages/router.ts";
import { projectsRouter } from "#server/features/projects/router.ts";
import { updatesRouter } from "#server/features/projects/updates/router.ts";
import { writeOffsRouter } from "#server/features/projects/write-offs/router.ts";
import { reportsRouter } from "#server/features/reports/router.ts";
import { savedSearchesRouter } from "#server/features/saved-searches/router.ts";
import { secondPersonRouter } from "#server/features/second-person/router.ts";
import { settingsRouter } from "#server/features/settings/router.ts";
import { consentsRouter } from "#server/features/site/consents/router.ts";
import { homeRouter } from "#server/features/site/home/router.ts";
import { profileRouter } from "#server/features/site/profile/router.ts";
import { setupRouter } from "#server/features/site/setup/router.ts";
import { textsRouter } from "#server/features/site/texts/router.ts";
import { tasksRouter } from "#server/features/tasks/router.ts";
import { mergeRouters, router } from "#server/platform/procedures.ts";

/** The router of every feature. */
export const appRouter = router({
  settings: settingsRouter,
  setup: setupRouter,
  alarms: alarmsRouter,
  users: usersRouter,
  twoFactor: twoFactorRouter,
  team: teamRouter,
  admins: adminsRouter,
  auth: authRouter,
  notifications: notificationsRouter,
  projects: projectsRouter,
  farmReleases: farmReleasesRouter,
  roundReturns: roundReturnsRouter,
  releaseParts: releasePartsRouter,
  farmReleaseParts: farmReleasePartsRouter,
  farmPages: farmPagesRouter,
  farmPast: farmPastRouter,
  farms: farmsRouter,
  favorites: favoritesRouter,
  savedSearches: savedSearchesRouter,
  backings: backingsRouter,
  tasks: tasksRouter,
  updates: updatesRouter,
  reports: reportsRouter,
  messages: messagesRouter,
  media: mediaRouter,
  payments: mergeRouters(buyingRouter, reviewRouter, unallocatedRouter),
  receipts: receiptsRouter,
  holderChanges: holderChangesRouter,
  papers: papersRouter,
  payeeAccounts: payeeAccountsRouter,
  bank: bankRouter,
  payouts: payoutsRouter,
  books: booksRouter,
  harvests: harvestsRouter,
  holidays: holidaysRouter,
  farmHarvests: farmHarvestsRouter,
  holds: holdsRouter,
  secondPerson: secondPersonRouter,
  writeOffs: writeOffsRouter,
  careers: careersRouter,
  contact: contactRouter,
  dashboard: dashboardRouter,
  auditLog: auditLogRouter,
  site: mergeRouters(profileRouter, textsRouter, homeRouter, consentsRouter),
});

export type AppRouter = typeof appRouter;
