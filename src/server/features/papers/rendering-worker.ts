import { parentPort, workerData } from "node:worker_threads";
import { type PrintedPaper, renderPaper } from "./pdf.ts";

/** The thread of rendering.ts: it makes one PDF, and ends. */

const paper = workerData as PrintedPaper;
parentPort?.postMessage(await renderPaper(paper));
