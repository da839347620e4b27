import { adminProcedure, publicProcedure, router, sharedProcedure } from "#server/platform/procedures.ts";
import {
  adoptPageInput,
  pageInput,
  pageVersionInput,
  previewPageInput,
  savePageInput,
} from "#shared/site/page-inputs.ts";
import { getFigures, getPage, getPageSource, getPageVersion, listPages } from "./queries.ts";
import { adoptPage, previewPage, savePage } from "./service.ts";

/** A text of 200,000 characters, each of which may take several bytes. */
const maxBodyBytes = 1024 * 1024;

export const textsRouter = router({
  page: sharedProcedure.input(pageInput).query(({ ctx, input }) => getPage(ctx, input)),
  pageVersion: publicProcedure.input(pageVersionInput).query(({ ctx, input }) => getPageVersion(ctx, input)),
  figures: sharedProcedure.query(({ ctx }) => getFigures(ctx)),
  pages: adminProcedure("settings:manage").query(({ ctx }) => listPages(ctx)),
  pageSource: adminProcedure("settings:manage")
    .input(pageInput)
    .query(({ ctx, input }) => getPageSource(ctx, input)),
  /** Changes nothing. It is sent like a write because a text is longer than an address may be. */
  previewPage: adminProcedure("settings:manage", { maxBodyBytes })
    .input(previewPageInput)
    .mutation(({ ctx, input }) => previewPage(ctx, input)),
  savePage: adminProcedure("settings:manage", { maxBodyBytes, needsProof: true })
    .input(savePageInput)
    .mutation(({ ctx, input }) => savePage(ctx, input)),
  adoptPage: adminProcedure("settings:manage", { needsProof: true })
    .input(adoptPageInput)
    .mutation(({ ctx, input }) => adoptPage(ctx, input)),
});
