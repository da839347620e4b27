import { adminProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import {
  contactMessageIdInput,
  listContactMessagesInput,
  sendMessageInput,
  setContactMessageReadInput,
} from "#shared/contact/inputs.ts";
import { countContactMessages, getContactMessage, listContactMessages } from "./queries.ts";
import { sendMessage, setContactMessageRead } from "./service.ts";

export const contactRouter = router({
  send: publicProcedure.input(sendMessageInput).mutation(({ ctx, input }) => sendMessage(ctx, input)),
  messages: adminProcedure("users:manage")
    .input(listContactMessagesInput)
    .query(({ ctx, input }) => listContactMessages(ctx, input)),
  counts: adminProcedure("users:manage").query(({ ctx }) => countContactMessages(ctx)),
  message: adminProcedure("users:manage")
    .input(contactMessageIdInput)
    .query(({ ctx, input }) => getContactMessage(ctx, input)),
  setRead: adminProcedure("users:manage")
    .input(setContactMessageReadInput)
    .mutation(({ ctx, input }) => setContactMessageRead(ctx, input)),
});
