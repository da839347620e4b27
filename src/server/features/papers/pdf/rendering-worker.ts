import { answerTasks } from "#server/platform/answer-tasks.ts";
import { type PrintedPaper, renderPaper } from "./render-paper.ts";

/** The processes of rendering.ts make one PDF after the other. */
answerTasks((paper: PrintedPaper) => renderPaper(paper));
