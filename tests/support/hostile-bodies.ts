/** Where the shapes are sent: a procedure for anybody, and one whose limit is the largest. */
export const anybodysProcedure = "auth.signIn";
export const largestProcedure = "projects.create";

const fill = (bytes: number, piece: (index: number) => string, separator = ",") => {
  const pieces: string[] = [];
  for (let index = 0, length = 0; ; index += 1) {
    const next = piece(index);
    length += next.length + separator.length;
    if (length > bytes) return pieces.join(separator);
    pieces.push(next);
  }
};
const repeat = (bytes: number, text: string) => text.repeat(Math.floor(bytes / text.length));

/** A field that every schema refuses, so that a body which can be read is refused as well. */
const call = (json: string, meta = "") => `{"json":${json}${meta && `,"meta":${meta}`}}`;

/**
 * Bodies of at most so many bytes that cost a reader of JSON with types more than their size, by what they hold. Each
 * is to be refused.
 */
export const hostileBodies: Record<string, (bytes: number) => string> = {
  "a set with references to each part": (bytes) =>
    call(
      `{"email":[${fill(bytes * 0.2, () => "1")}]}`,
      `{"values":{"email":["set"]},"referentialEqualities":{"email":[${fill(bytes * 0.7, (index) => `"email.${index}"`)}]},"v":1}`,
    ),
  "a map of pairs": (bytes) =>
    call(
      `{"email":[${fill(bytes * 0.9, (index) => `[${index},1]`)}]}`,
      '{"values":{"email":["map",{"0.0":["Date"]}]},"v":1}',
    ),
  "lists within lists": (bytes) => call(repeat((bytes - 20) / 2, "[") + repeat((bytes - 20) / 2, "]")),
  "lists within lists, forty at a time": (bytes) =>
    call(`[${fill(bytes - 20, () => `${"[".repeat(40)}${"]".repeat(40)}`)}]`),
  "objects within objects": (bytes) =>
    call(`${repeat(((bytes - 20) * 5) / 6, '{"a":')}1${repeat((bytes - 20) / 6, "}")}`),
  "many small values": (bytes) => call(`{"email":[${fill(bytes - 30, () => "{}")}]}`),
  "many names": (bytes) => call(`{${fill(bytes - 20, (index) => `"${4_294_967_294 - index}":1`)}}`),
  "many types": (bytes) => {
    const count = Math.floor(bytes / 33);
    const parts = Array.from({ length: count }, () => "null").join(",");
    const types = Array.from({ length: count }, (_, index) => `"email.${index}":["undefined"]`).join(",");
    return call(`{"email":[${parts}]}`, `{"values":{${types}},"v":1}`);
  },
  "a path that goes on and on": (bytes) =>
    call('{"email":1}', `{"values":{"${repeat(bytes - 60, "a.")}":["Date"]},"v":1}`),
  "a path of escapes": (bytes) =>
    call('{"email":1}', `{"values":{"email.${repeat(bytes - 70, "\\\\\\\\.")}":["Date"]},"v":1}`),
  "a number of many digits": (bytes) =>
    call(`{"email":"${repeat(bytes - 70, "9")}"}`, '{"values":{"email":["bigint"]},"v":1}'),
  "a text of opened tags": (bytes) => call(`{"email":"${repeat(bytes - 60, "<")}","description":7}`),
};
