import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  transformTRPCResponse,
} from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { openPublicCache, type PublicCache } from "#server/platform/cache.ts";
import { type CallContext, createCallContext, createSharedContext } from "#server/platform/context.ts";
import type { Deps } from "#server/platform/deps.ts";
import { type ProcedureMeta, USUAL_BODY_BYTES } from "#server/platform/procedures.ts";
import { parseRequest } from "#server/platform/serializer.ts";
import { appRouter } from "#server/router.ts";
import { sendCompressed } from "./compression.ts";
import { guardTrpcScope } from "./security.ts";

/** The response to a call, as JSON in tRPC's format. */
type Answer = { status: number; json: string };
type CallRequest = FastifyRequest<{ Params: { path: string }; Querystring: Record<string, unknown>; Body: unknown }>;

const MAX_BATCH = 10;
const CACHE_BYTES = 16 * 1024 * 1024;

type Procedure = { _def: { type: "query" | "mutation" | "subscription"; meta?: unknown; inputs: unknown[] } };
const flat: object = appRouter._def.procedures;
/** By path. It is a map, so that names of Object.prototype aren't found. */
const procedures = new Map<string, Procedure>(Object.entries(flat));
const config = appRouter._def._config;

/**
 * The tRPC endpoint, in its own scope: queries by GET and mutations by POST, alone or up to ten in a batch. Its
 * responses are those of the official adapters; a test compares both. The adapters build a fetch Request, a Response
 * and a stream for every call, at several times the cost. Features that the product doesn't use are missing:
 * subscriptions, streamed batches, inputs that aren't JSON.
 *
 *
 * Queries that are the same for everybody are cached, unless `isCached` is false.
 */
export async function registerTrpc(
  app: FastifyInstance,
  deps: Deps,
  { isCached }: { isCached: boolean },
): Promise<void> {
  const cache = isCached
    ? openPublicCache<string>(deps, { maxBytes: CACHE_BYTES, bytesOf: (json) => 2 * json.length })
    : undefined;
  const forAll = createSharedContext(deps);
  app.addHook("preClose", async () => cache?.close());
  await app.register(async (scope) => {
    scope.addHook("onRequest", guardTrpcScope(deps.env));
    scope.addHook("onRequest", (request, _reply, done) => {
      const length = Number(request.headers["content-length"] ?? 0);
      const isTooLong = length > USUAL_BODY_BYTES && length > maxBodyBytesOf(request as CallRequest);
      done(isTooLong ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : undefined);
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/json",
      { parseAs: "string", bodyLimit: Math.max(...[...procedures.values()].map(bodyBytesOf)) },
      (request, body, done) => {
        // The length of some bodies is unknown before they have arrived.
        if (Buffer.byteLength(body) <= maxBodyBytesOf(request as CallRequest)) done(null, body);
        else done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      },
    );
    scope.all<{ Params: { path: string }; Querystring: Record<string, unknown> }>(
      "/trpc/:path",
      { config: { isData: true } },
      async (request, reply) => {
        // Responses are personal and may change at any time.
        reply.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
        const { paths, isBatch } = callsIn(request);
        const { status, json } = await answerRequest({ deps, cache, forAll }, { request, reply, paths, isBatch });
        return sendCompressed(request, reply.code(status), json);
      },
    );
  });
}

function callsIn({ query, params }: Pick<CallRequest, "query" | "params">): { paths: string[]; isBatch: boolean } {
  const isBatch = query.batch === "1";
  return { isBatch, paths: isBatch ? params.path.split(",") : [params.path] };
}

/** A batch may be as large as the largest request of its procedures. */
function maxBodyBytesOf(request: CallRequest): number {
  return Math.max(
    ...callsIn(request)
      .paths.slice(0, MAX_BATCH)
      .map((path) => bodyBytesOf(procedures.get(path))),
  );
}

const bodyBytesOf = (procedure: Procedure | undefined) => metaOf(procedure)?.maxBodyBytes ?? USUAL_BODY_BYTES;

async function answerRequest(
  { deps, cache, forAll }: { deps: Deps; cache: PublicCache<string> | undefined; forAll: CallContext },
  { request, reply, paths, isBatch }: { request: CallRequest; reply: FastifyReply; paths: string[]; isBatch: boolean },
): Promise<Answer> {
  const refusal = refusalOfBatch(paths);
  if (refusal) return errorAnswer(request, refusal, { path: undefined });

  const readInput = onFirstUse(() => readInputs(request, isBatch));
  // The caller is looked up once for a whole batch, and only if a call needs it.
  const findContext = onFirstUse(() => createCallContext(deps, request, reply));
  const answers = await Promise.all(
    paths.map(async (path, index): Promise<Answer> => {
      try {
        const procedure = procedureAt(path, request.method);
        const readOwn = () => (takesInput(procedure) ? readInput()[index] : undefined);
        if (!isShared(procedure)) {
          return {
            status: 200,
            json: await callProcedure({ path, index, readInput: readOwn }, procedure, findContext),
          };
        }
        const input = readOwn();
        const make = () => callProcedure({ path, index: 0, readInput: () => input }, procedure, async () => forAll);
        const key = `${path} ${JSON.stringify(input ?? null)}`;
        return { status: 200, json: await (cache ? cache.get(key, make) : make()) };
      } catch (cause) {
        return errorAnswer(request, getTRPCErrorFromUnknown(cause), { path });
      }
    }),
  );
  if (!isBatch) return answers[0] as Answer;
  const statuses = new Set(answers.map(({ status }) => status));
  const [status = 200] = statuses;
  const json = `[${answers.map((answer) => answer.json).join(",")}]`;
  return { status: statuses.size === 1 ? status : 207, json };
}

const metaOf = (procedure: Procedure | undefined) => procedure?._def.meta as ProcedureMeta | undefined;
const takesInput = ({ _def }: Procedure): boolean => _def.inputs.length > 0;
const isShared = (procedure: Procedure | undefined): boolean => metaOf(procedure)?.isShared === true;

function refusalOfBatch(paths: string[]): TRPCError | undefined {
  const types = new Set(paths.map((path) => procedures.get(path)?._def.type).filter((type) => type !== undefined));
  if (paths.length > MAX_BATCH || types.size > 1) return new TRPCError({ code: "BAD_REQUEST" });
  return undefined;
}

const methodOf = { query: "GET", mutation: "POST", subscription: undefined } as const;

function procedureAt(path: string, method: string): Procedure {
  const procedure = procedures.get(path);
  if (!procedure) throw new TRPCError({ code: "NOT_FOUND" });
  if (methodOf[procedure._def.type] !== method) throw new TRPCError({ code: "METHOD_NOT_SUPPORTED" });
  return procedure;
}

type Call = { path: string; index: number; readInput: () => unknown };

/** The calls' raw inputs, by index in the batch. Throws BAD_REQUEST for invalid JSON, or beyond the limits. */
function readInputs({ method, query, body }: CallRequest, isBatch: boolean): Record<number, unknown> {
  const text = method === "GET" ? query.input : body;
  if (text === undefined || text === "") return {};
  const inputs = parseRequest(String(text), isBatch ? 2 : 1);
  if (!isBatch) return { 0: inputs };
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs)) {
    throw new TRPCError({ code: "BAD_REQUEST" });
  }
  return inputs as Record<number, unknown>;
}

async function callProcedure(
  { path, index, readInput }: Call,
  procedure: Procedure,
  findContext: () => Promise<CallContext>,
): Promise<string> {
  const data = await callTRPCProcedure({
    router: appRouter,
    path,
    type: procedure._def.type,
    ctx: await findContext(),
    getRawInput: onFirstUse(async () => {
      const input = readInput();
      return input === undefined ? undefined : (config.transformer.input.deserialize(input) as unknown);
    }),
    signal: undefined,
    batchIndex: index,
  });
  return JSON.stringify(transformTRPCResponse(config, { result: { data } }));
}

function errorAnswer(request: FastifyRequest, error: TRPCError, { path }: { path: string | undefined }): Answer {
  if (error.code === "INTERNAL_SERVER_ERROR" || error.code === "SERVICE_UNAVAILABLE") {
    request.log.error({ err: error.cause ?? error, path }, "procedure failed");
  }
  const type = (path === undefined ? undefined : procedures.get(path)?._def.type) ?? "unknown";
  const shape = getTRPCErrorShape({ config, error, type, path, input: undefined, ctx: undefined });
  return {
    status: getHTTPStatusCodeFromError(error),
    json: JSON.stringify(transformTRPCResponse(config, { error: shape })),
  };
}

/** Runs `make` once, at the first call. Later calls get the same value or error. */
function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | { error: unknown } | undefined;
  return () => {
    if (!made) {
      try {
        made = { value: make() };
      } catch (error) {
        made = { error };
      }
    }
    if ("error" in made) throw made.error;
    return made.value;
  };
}
