import { type PrintedPaper, renderPaper } from "./pdf.ts";

/** The threads of rendering.ts make one PDF after the other. */
export default (paper: PrintedPaper) => renderPaper(paper);
