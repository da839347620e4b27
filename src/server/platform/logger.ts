import { randomUUID } from "node:crypto";
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { type DestinationStream, type LoggerOptions, pino } from "pino";

/**
 * The server's log: one JSON object per line, or short lines for a terminal (`isReadable`).
 * Every entry is cleaned of secrets here: by property names, and in the texts of errors.
 */
export function createLogger(options: {
  level: string;
  isReadable?: boolean;
  destination?: DestinationStream;
}): FastifyBaseLogger {
  const target = options.destination ?? pino.destination(1);
  const settings: LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: (entry) => withoutSecrets(entry, 0) },
    serializers: { req: describeRequest, err: describeError, error: describeError },
  };
  return pino(settings, options.isReadable ? { write: (line) => target.write(readableLine(line)) } : target);
}

/** Fastify's logging options: random request ids (never from a header), and none of its own request lines. */
export const requestLogOptions = {
  logController: new LogController({ disableRequestLogging: true }),
  requestIdHeader: false as const,
  genReqId: () => randomUUID(),
};

/** Logs one line per response: faults as errors, client errors as information, files and probes as debug. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const entry = { req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (reply.statusCode >= 500) request.log.error(entry, "request failed");
    else if (isQuiet(request)) request.log.debug(entry, "request");
    else request.log.info(entry, "request");
    done();
  });
  app.addHook("onRequestAbort", async (request) => {
    if (!isQuiet(request)) request.log.info({ req: request }, "request aborted by the client");
  });
}

const isQuiet = (request: FastifyRequest) => /^\/(assets\/|events$|healthz$|readyz$)/.test(pathOf(request.url));

const pathOf = (url: string) => url.split("?", 1)[0] ?? "";

/** Without the query, and without the token of a report link, which stands in the path. */
export const addressForLog = (address: string): string =>
  address.replace(/[?#].*$/s, "").replace(/(^|\/\/[^/]+)\/report\/[^/]+/i, `$1/report/${REMOVED}`);

/** The path without what tells a secret, because links carry tokens. */
function describeRequest(request: unknown): unknown {
  if (typeof request !== "object" || request === null || !("url" in request)) return undefined;
  const { method, url, ip } = request as { method?: unknown; url: unknown; ip?: unknown };
  return { method, path: addressForLog(String(url)), ip };
}

const secretName = /pass(word|wd|phrase)|secret|token|cookie|authorization|signature|^(otp|html|text|body)$/i;
const REMOVED = "[removed]";
const MAX_DEPTH = 6;

/** Copies a plain object, with the values of secretly named properties removed. */
function withoutSecrets(entry: Record<string, unknown>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, secretName.test(name) ? REMOVED : cleaned(value, depth + 1)]),
  );
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[deep]";
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  if (value instanceof Error) return depth === 1 ? value : describeError(value);
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? withoutSecrets(value as Record<string, unknown>, depth)
    : value;
}

const errorFacts = ["code", "statusCode", "reason", "constraint", "constraint_name", "table", "column"] as const;

/** Keeps type, text, stack, cause and a few known facts. An error's other properties may contain rows or parameters. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const facts = Object.fromEntries(
    errorFacts.flatMap((name) => (name in error ? [[name, error[name as keyof Error] as unknown]] : [])),
  );
  return {
    type: error.name,
    message: withoutValues(error.message),
    stack: error.stack === undefined ? undefined : withoutValues(error.stack),
    ...facts,
    ...(error.cause instanceof Error && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

/**
 * Removes values from an error's text: a failed query's text ends with its parameters, and a JSON error quotes its
 * input.
 */
function withoutValues(text: string): string {
  const start = text.indexOf("Unexpected ");
  const quote = start === -1 ? -1 : text.indexOf(', "', start);
  const end = text.lastIndexOf('" is not valid JSON');
  const unquoted = quote !== -1 && quote < end ? `${text.slice(0, quote)}, ${REMOVED}${text.slice(end + 1)}` : text;
  return unquoted.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/, `\nparams: ${REMOVED}`);
}

/** Formats `12:30:05 info  request GET /discover 200 4ms`, with an error's stack below. */
function readableLine(line: string): string {
  const { time, level, msg, req, err, status, ms, reqId, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const request = isRecord(req) ? `${String(req.method)} ${String(req.path)} ${String(status)} ${String(ms)}ms` : "";
  const more = Object.keys(rest).length > 0 ? JSON.stringify(rest) : "";
  const words = [String(time).slice(11, 19), String(level).padEnd(5), msg, request, more].filter(Boolean).join(" ");
  return isRecord(err) ? `${words}\n${String(err.stack ?? err.message)}\n` : `${words}\n`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
