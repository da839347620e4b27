import { alarms } from "./alarms.ts";
import { auditLogs } from "./audit.ts";
import { storedFiles } from "./files.ts";
import { ledgerEntries, ledgerTransactions } from "./ledger.ts";
import { notificationOptOuts, notifications, outgoingMails } from "./notifications.ts";
import { paymentReceipts, paymentReferences, projectPayments } from "./payments.ts";
import {
  projectBackings,
  projectFavorites,
  projectMedia,
  projectMessages,
  projects,
  projectUpdates,
} from "./projects.ts";
import { emailTokens, knownDevices, rateLimits, sessions, signInCounters, usedChallenges } from "./sessions.ts";
import { settings } from "./settings.ts";
import { adminInvites, contactMessages, jobApplications } from "./team.ts";
import { identities, recoveryCodes, twoFactors, userRoles, users } from "./users.ts";

/** All tables: the type of the database handle. */
export const schema = {
  adminInvites,
  alarms,
  auditLogs,
  contactMessages,
  emailTokens,
  identities,
  jobApplications,
  knownDevices,
  ledgerEntries,
  ledgerTransactions,
  notificationOptOuts,
  notifications,
  outgoingMails,
  paymentReceipts,
  paymentReferences,
  projectBackings,
  projectFavorites,
  projectMedia,
  projectMessages,
  projectPayments,
  projectUpdates,
  projects,
  rateLimits,
  recoveryCodes,
  sessions,
  settings,
  signInCounters,
  storedFiles,
  twoFactors,
  usedChallenges,
  userRoles,
  users,
};
