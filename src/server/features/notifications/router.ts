import { backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import {
  listNotificationsInput,
  mailLinkInput,
  mailLinkPreferenceInput,
  mailPreferenceInput,
  markAllReadInput,
  notificationIdInput,
} from "#shared/notifications/inputs.ts";
import { describeMailLink, getNewestNotifications, listMailPreferences, listNotifications } from "./queries.ts";
import { markAllRead, markRead, setMailPreference, setMailPreferenceByLink } from "./service.ts";

export const notificationsRouter = router({
  newest: backerProcedure.query(({ ctx }) => getNewestNotifications(ctx)),
  list: backerProcedure.input(listNotificationsInput).query(({ ctx, input }) => listNotifications(ctx, input)),
  markRead: backerProcedure.input(notificationIdInput).mutation(({ ctx, input }) => markRead(ctx, input)),
  markAllRead: backerProcedure.input(markAllReadInput).mutation(({ ctx, input }) => markAllRead(ctx, input)),
  mailPreferences: backerProcedure.query(({ ctx }) => listMailPreferences(ctx)),
  setMailPreference: backerProcedure
    .input(mailPreferenceInput)
    .mutation(({ ctx, input }) => setMailPreference(ctx, input)),
  /** The mail's link names the account, whoever is signed in. */
  mailLink: publicProcedure.input(mailLinkInput).query(({ ctx, input }) => describeMailLink(ctx, input)),
  setMailPreferenceByLink: publicProcedure
    .input(mailLinkPreferenceInput)
    .mutation(({ ctx, input }) => setMailPreferenceByLink(ctx, input)),
});
