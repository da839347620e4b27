import { adminProcedure, backerProcedure, router } from "#server/platform/procedures.ts";
import { listContentInput } from "#shared/projects/inputs.ts";
import { messageIdInput, sendMessageInput } from "#shared/projects/messages.ts";
import { listMessages } from "./queries.ts";
import { dismissMessage, sendMessage } from "./service.ts";

export const messagesRouter = router({
  list: backerProcedure.input(listContentInput).query(({ ctx, input }) => listMessages(ctx, input)),
  send: backerProcedure.input(sendMessageInput).mutation(({ ctx, input }) => sendMessage(ctx, input)),
  dismiss: adminProcedure("projects:edit")
    .input(messageIdInput)
    .mutation(({ ctx, input }) => dismissMessage(ctx, input)),
});
