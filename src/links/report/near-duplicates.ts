/** So many minima of hashes describe a text. */
const bins = 128;
/** Texts are compared if they agree in all bins of a band. */
const bandSize = 4;
const shingleWords = 4;
const minShare = 0.8;

/**
 * Groups of texts that are nearly the same: of the runs of four words in one, at least about 80 % are in the other, too. It compares
 * only texts that have minima of hashes in common (MinHash with one permutation).
 */
export function nearDuplicates(texts: Iterable<readonly [key: string, text: string]>): Map<string, string[]> {
  const signatures = new Map<string, Uint32Array>();
  const buckets = new Map<string, string[]>();
  const pairs = new Map<string, Set<string>>();
  for (const [key, text] of texts) {
    const signature = signatureOf(text);
    if (!signature) continue;
    const others = new Set(
      bandsOf(signature).flatMap((band) => {
        const bucket = buckets.get(band) ?? [];
        // A band that many texts share, such as a common footer, tells nothing about them.
        if (bucket.length >= maxBucket) return [];
        buckets.set(band, [...bucket, key]);
        return bucket;
      }),
    );
    for (const other of others) {
      const compared = signatures.get(other);
      if (!compared || similarity(signature, compared) < minShare) continue;
      pairs.set(key, (pairs.get(key) ?? new Set()).add(other));
      pairs.set(other, (pairs.get(other) ?? new Set()).add(key));
    }
    signatures.set(key, signature);
  }
  return new Map([...pairs].map(([key, others]) => [key, [...others].toSorted()]));
}

const maxBucket = 50;
const minWords = 20;

/** Undefined for a text that is too short to be compared. */
function signatureOf(text: string): Uint32Array | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < minWords) return undefined;
  const hashes = words.map(hashOf);
  const signature = new Uint32Array(bins).fill(0xff_ff_ff_ff);
  for (let index = 0; index + shingleWords <= hashes.length; index += 1) {
    let hash = 0;
    for (let word = 0; word < shingleWords; word += 1) hash = mix(hash, hashes[index + word] ?? 0);
    const bin = hash % bins;
    if (hash < (signature[bin] ?? 0)) signature[bin] = hash;
  }
  return signature;
}

function hashOf(word: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01_00_01_93);
  return hash >>> 0;
}

function mix(hash: number, next: number): number {
  let mixed = Math.imul(hash ^ next, 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function bandsOf(signature: Uint32Array): string[] {
  const bands: string[] = [];
  for (let start = 0; start < bins; start += bandSize) {
    const band = signature.subarray(start, start + bandSize);
    if (band.some((minimum) => minimum !== 0xff_ff_ff_ff)) bands.push(`${start} ${band.join(' ')}`);
  }
  return bands;
}

/** The share of bins in which two texts agree, of those that one of them has. */
function similarity(one: Uint32Array, other: Uint32Array): number {
  let [same, used] = [0, 0];
  for (let bin = 0; bin < bins; bin += 1) {
    if (one[bin] === 0xff_ff_ff_ff && other[bin] === 0xff_ff_ff_ff) continue;
    used += 1;
    if (one[bin] === other[bin]) same += 1;
  }
  return used === 0 ? 0 : same / used;
}
