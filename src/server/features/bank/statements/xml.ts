import { statementTexts } from "#shared/bank/statement-texts.ts";
import { BoundedParser } from "./markup.ts";
import { Refusal } from "./statement.ts";

/** No statement and no sheet nests its elements deeper, or has a longer text in one: Excel's cells end at 32,767. */
const MAX_DEPTH = 40;
export const MAX_TEXT = 50_000;
/** A full sheet has a few million elements; what only describes it has far fewer. */
const MAX_ELEMENTS = 5_000_000;
export const FEW_ELEMENTS = 100_000;

interface XmlHandlers {
  /** The names of the element and of those around it, outermost first, without their namespaces' prefixes. */
  open?(path: readonly string[], attributes: Readonly<Record<string, string>>): void;
  /** The text of an element that has no others within it. */
  close?(path: readonly string[], text: string): void;
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/**
 * Reads XML piece by piece, so that memory doesn't grow with it. A document type is refused, and with it entities of
 * the file's own; so is XML that isn't whole, or not well nested.
 */
export async function readXml(
  pieces: AsyncIterable<string> | Iterable<string>,
  handlers: XmlHandlers,
  maxElements = MAX_ELEMENTS,
): Promise<void> {
  const path: string[] = [];
  const texts: string[] = [];
  let count = 0;
  let isEnding = false;
  /** The end of the last opening tag. A self-closing tag ends where it closes. */
  let openedAt = -1;
  const parser = new BoundedParser(
    {
      onprocessinginstruction(name) {
        if (name.startsWith("!")) throw new Refusal(statementTexts.doctype);
      },
      onopentag(name, attributes) {
        count += 1;
        const isSecondRoot = path.length === 0 && count > 1;
        if (isSecondRoot || path.length === MAX_DEPTH) throw new Refusal(statementTexts.damaged);
        openedAt = parser.endIndex;
        path.push(localName(name));
        // What stands between elements is only their arrangement.
        if (texts.length > 0) texts[texts.length - 1] = "";
        texts.push("");
        handlers.open?.(path, attributes);
      },
      ontext(part) {
        const text = `${texts.pop() ?? ""}${part}`;
        if (text.length > MAX_TEXT) throw new Refusal(statementTexts.damaged);
        if (path.length > 0) texts.push(text);
      },
      onclosetag(_name, isImplied) {
        const closesItself = parser.endIndex === openedAt && !isEnding;
        if (isImplied && !closesItself) throw new Refusal(statementTexts.damaged);
        handlers.close?.(path, texts.pop() ?? "");
        path.pop();
      },
    },
    { xmlMode: true, maxElements },
  );
  for await (const piece of pieces) parser.write(piece);
  isEnding = true;
  parser.end();
  if (count === 0 || path.length > 0) throw new Refusal(statementTexts.damaged);
}

const CHUNK = 65_536;

/** A text in pieces, as {@link readXml} takes it. */
export function* inChunks(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += CHUNK) yield text.slice(at, at + CHUNK);
}
