import { publicProcedure, router } from "#server/core/trpc.ts";
import { sendMessageInput } from "#shared/contact.ts";
import { sendMessage } from "./service.ts";

export const contactRouter = router({
  send: publicProcedure.input(sendMessageInput).mutation(({ ctx, input }) => sendMessage(ctx, input)),
});
