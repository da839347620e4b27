import { type Handler, Parser, type ParserOptions } from "htmlparser2";
import { statementTexts } from "#shared/bank/statement-texts.ts";
import { Refusal } from "./statement.ts";

/** No bank's tag has so many attributes, or so long a name. */
const MAX_ATTRIBUTES = 200;
const MAX_NAME = 200;
/** Characters of a tag, a comment or an instruction. */
const MAX_PIECE = 1_000_000;
const ATTRIBUTES_PER_ELEMENT = 3;

type Handlers = Partial<Omit<Handler, "onopentagname" | "onattribute">>;

/**
 * A parser of HTML or XML that refuses a text of too many elements and attributes. They are counted before they are kept: a
 * tag of millions of attributes would fill the memory before its element is told of.
 */
export class BoundedParser {
  readonly #parser: Parser;
  #written = 0;

  constructor(handlers: Handlers, { maxElements, ...options }: ParserOptions & { maxElements: number }) {
    let [elements, attributes, ownAttributes] = [0, 0, 0];
    const refuseIf = (isTooMuch: boolean) => {
      if (isTooMuch) throw new Refusal(statementTexts.damaged);
    };
    this.#parser = new Parser(
      {
        ...handlers,
        onopentagname(name) {
          elements += 1;
          ownAttributes = 0;
          refuseIf(elements > maxElements || name.length > MAX_NAME);
        },
        onattribute(name) {
          attributes += 1;
          ownAttributes += 1;
          refuseIf(attributes > maxElements * ATTRIBUTES_PER_ELEMENT);
          refuseIf(ownAttributes > MAX_ATTRIBUTES || name.length > MAX_NAME);
        },
      },
      options,
    );
  }

  /** The end of whatever was reported last. */
  get endIndex(): number {
    return this.#parser.endIndex;
  }

  write(text: string): void {
    this.#parser.write(text);
    this.#written += text.length;
    if (this.#written - this.#parser.endIndex > MAX_PIECE) throw new Refusal(statementTexts.damaged);
  }

  end(): void {
    this.#parser.end();
  }
}
