import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const WORTH_COMPRESSING = 1024;
const brotli = promisify(brotliCompress);

/** Whether text of so many bytes is to go compressed to who asks with these headers. */
export const isWorthBrotli = (bytes: number, headers: IncomingHttpHeaders): boolean =>
  bytes >= WORTH_COMPRESSING && /\bbr\b/.test(String(headers["accept-encoding"]));

/** A millisecond for 100 kB. The usual window is of 4 MB, whose making and clearing away cost ten times that. */
export const compress = (text: Buffer): Promise<Buffer> =>
  brotli(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_LGWIN]: 17,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
