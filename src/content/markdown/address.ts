/** An address as it is written in a text. */
export interface Address {
  url: string;
  kind: 'link' | 'image';
  /** Where it begins and ends in the whole text. */
  range: [number, number];
  style: 'destination' | 'autolink' | 'attribute' | 'srcset' | 'tag' | 'yaml';
}

/** An address in a part of a text that is not Markdown. */
export interface MarkupAddress extends Address {
  /** The description of an image. */
  text: string;
  /** Where the tag begins. */
  offset: number;
}
