import { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE, type Event } from 'js-yaml';

/** The tokens of a text, by their number in it: keys, values, and the ends of objects and arrays. */
export interface Tokens {
  readonly length: number;
  /** Whether there may be anchors and aliases. */
  readonly hasAnchors: boolean;
  typeOf(index: number): number | undefined;
  at(index: number): Event | undefined;
}

/** The tokens that the YAML parser returns. */
export class YamlTokens implements Tokens {
  readonly events: Event[];
  readonly hasAnchors = true;

  constructor(events: Event[]) {
    this.events = events;
  }

  get length(): number {
    return this.events.length;
  }

  typeOf(index: number): number | undefined {
    return this.events[index]?.type;
  }

  at(index: number): Event | undefined {
    return this.events[index];
  }
}

const untagged = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 };
const scalar = { ...untagged, type: EVENT_ID.SCALAR, chomping: CHOMPING_MODE.CLIP, indent: -1 } as const;
const quote = 0x22;

/** The tokens of a JSON text, as numbers: as objects, those of a large description take several hundred megabytes. */
export class JsonTokens implements Tokens {
  readonly hasAnchors = false;
  /** How many members all objects have together, repeated ones included. */
  members = 0;
  readonly #text: string;
  #types: Uint8Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #length = 0;

  constructor(text: string) {
    this.#text = text;
    const capacity = 16 + (text.length >> 4);
    this.#types = new Uint8Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** @param start where the value begins in the text; without the quotes of a string, as `end` */
  push(type: Event['type'], start = -1, end = -1): void {
    if (this.#length === this.#types.length) this.#grow();
    this.#types[this.#length] = type;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  typeOf(index: number): number | undefined {
    return index < this.#length ? this.#types[index] : undefined;
  }

  at(index: number): Event | undefined {
    const type = this.typeOf(index);
    const [valueStart = -1, valueEnd = -1] = [this.#starts[index], this.#ends[index]];
    switch (type) {
      case undefined:
        return undefined;
      case EVENT_ID.DOCUMENT:
        return { type, explicitStart: false, explicitEnd: false, directives: [] };
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        return { ...untagged, type, start: valueStart, style: COLLECTION_STYLE.FLOW };
      case EVENT_ID.SCALAR: {
        if (this.#text.charCodeAt(valueStart - 1) !== quote)
          return { ...scalar, valueStart, valueEnd, style: SCALAR_STYLE.PLAIN, fast: true };
        const fast = !this.#text.slice(valueStart, valueEnd).includes('\\');
        return { ...scalar, valueStart, valueEnd, style: SCALAR_STYLE.DOUBLE_QUOTED, fast };
      }
      default:
        return { type: EVENT_ID.POP };
    }
  }

  #grow(): void {
    const capacity = this.#types.length * 2;
    const grown = <A extends Uint8Array | Int32Array>(larger: A, old: A): A => {
      larger.set(old);
      return larger;
    };
    this.#types = grown(new Uint8Array(capacity), this.#types);
    this.#starts = grown(new Int32Array(capacity), this.#starts);
    this.#ends = grown(new Int32Array(capacity), this.#ends);
  }
}
