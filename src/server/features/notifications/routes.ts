import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/platform/deps.ts";
import { mailLinkInput } from "#shared/notifications/inputs.ts";
import { unsubscribePath } from "#shared/notifications/texts.ts";
import { setMailPreferenceByLink } from "./service.ts";

/**
 * POST /unsubscribe: the button of a mail program (RFC 8058), which sends no cookie and may have any origin. The link
 * names the account. A GET of the same address is a page that asks first, because virus scanners open every link of a
 * mail.
 */
export function registerNotificationRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    // The body is "List-Unsubscribe=One-Click", urlencoded or multipart, and isn't needed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 4096 }, (_request, _body, done) => done(null));
    scope.post(unsubscribePath, { config: { anyOrigin: true } }, async (request, reply) => {
      const { token } = mailLinkInput.catch({ token: "" }).parse(request.query);
      await setMailPreferenceByLink(deps, { token, isMailed: false });
      return reply.type("text/plain; charset=utf-8").send("You will get no more emails of this kind.\n");
    });
  });
}
