import { adminProcedure, backerProcedure, publicProcedure, router } from "#server/platform/procedures.ts";
import { cursorInput } from "#shared/pagination.ts";
import {
  findPaperInput,
  listPapersInput,
  paperRangeInput,
  statementOfInput,
  verifyPaperInput,
} from "#shared/papers/inputs.ts";
import { findPaper, listMyPapers, listPapers, verifyPaper } from "./queries.ts";
import { makeStatement, makeStatementOf, makeTaxList } from "./statements.ts";

const viewing = adminProcedure("payments:view");

export const papersRouter = router({
  mine: backerProcedure.input(cursorInput).query(({ ctx, input }) => listMyPapers(ctx, input)),
  list: viewing.input(listPapersInput).query(({ ctx, input }) => listPapers(ctx, input)),
  find: backerProcedure.input(findPaperInput).query(({ ctx, input }) => findPaper(ctx, input)),
  statement: backerProcedure.input(paperRangeInput).mutation(({ ctx, input }) => makeStatement(ctx, input)),
  statementOf: viewing.input(statementOfInput).mutation(({ ctx, input }) => makeStatementOf(ctx, input)),
  taxList: viewing.input(paperRangeInput).mutation(({ ctx, input }) => makeTaxList(ctx, input)),
  verify: publicProcedure.input(verifyPaperInput).query(({ ctx, input }) => verifyPaper(ctx, input)),
});
