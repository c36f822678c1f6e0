'use strict';
/**
 * A checksum of 128 bits. Loading node:zlib for its CRC-32 takes 3 ms and node:crypto 4, about what a pack saves; a loop in
 * JavaScript takes 2. So this is a function in WebAssembly, assembled here from its text format:
 *
 * (module
 *   (import "" "" (memory 1))
 *   (func (export "") (param $length i32)
 *     (local $at i32) (local $even v128) (local $odd v128) (local $factor v128)
 *     (local.set $even (i32x4.splat (local.get $length)))
 *     (local.set $odd (i32x4.splat (i32.const 1)))
 *     (local.set $factor (i32x4.splat (i32.const 0x9e3779b1)))
 *     (block $end
 *       (loop $next
 *         (br_if $end (i32.ge_u (local.get $at) (local.get $length)))
 *         ;; Both steps can be undone, so sums that differ once differ to the end. Multiplying carries upwards only, so
 *         ;; upper bits are mixed into lower ones. This is done 4 times, for $even, $odd, $even and $odd.
 *         (local.set $even (i32x4.mul (v128.xor (local.get $even) (v128.load offset=0 (local.get $at))) (local.get $factor)))
 *         (local.set $even (v128.xor (local.get $even) (i32x4.shr_u (local.get $even) (i32.const 15))))
 *         (local.set $at (i32.add (local.get $at) (i32.const 64)))
 *         (br $next)))
 *     (v128.store (i32.const 0) (v128.xor (local.get $even) (local.get $odd)))))
 *
 * It does little for each byte because V8 starts to optimize a function that runs for long, which takes longer.
 */
const blockBytes = 64;
const pageBytes = 65_536;
const sumBytes = 16;

const mix = (offset, sum) =>
  // sum = (sum ^ bytes at the offset) * factor; sum = sum ^ (sum >> 15)
  `20${sum}2001fd0004${offset}fd512004fdb50122${sum}` + `20${sum}410ffdad01fd5121${sum}`;
const body = [
  '02017f037b', // local $at, $even, $odd, $factor
  '2000fd112102' + '4101fd112103' + '41b1f3ddf179fd112104', // even = length, odd = 1, factor = ...
  '02400340' + '200120004f0d01', // block, loop; leave when at >= length
  mix('00', '02') + mix('10', '03') + mix('20', '02') + mix('30', '03'),
  '200141c0006a2101' + '0c000b0b', // at += 64; again
  '410020022003fd51fd0b0400' + '0b', // store even ^ odd at 0
].join('');
const program = [
  '0061736d01000000', // magic, version
  '0105' + '0160017f00', // type (i32) -> nothing
  '0206' + '010000020001', // import memory
  '0302' + '0100', // function of that type
  '0704' + '01000000', // export it
  `0a${sizeOf(body, 3)}01${sizeOf(body, 0)}${body}`, // code
].join('');

/** The number of bytes of these hexadecimal digits, and some more, as WebAssembly writes a number below 16384. */
function sizeOf(hex, more) {
  const bytes = hex.length / 2 + more;
  return Buffer.of((bytes & 0x7f) | 0x80, bytes >> 7).toString('hex');
}

let memory;
let checksum;

/** How many characters a checksum has. */
exports.digits = 2 * sumBytes;

/**
 * The checksum as hexadecimal digits; undefined where WebAssembly is switched off or finds no memory. Damage within 4
 * aligned bytes always changes it, other damage is missed once in 2^32. It does not stop an attacker, who would write the
 * checksum too: the checks of owner and mode do.
 */
exports.digestOf = function digestOf(bytes) {
  try {
    if (checksum === undefined) {
      memory = new WebAssembly.Memory({ initial: 1 });
      const module = new WebAssembly.Module(Buffer.from(program, 'hex'));
      checksum = new WebAssembly.Instance(module, { '': { '': memory } }).exports[''];
    }
    const length = blockBytes * Math.ceil(bytes.length / blockBytes);
    const missingPages = Math.ceil(length / pageBytes) - memory.buffer.byteLength / pageBytes;
    if (missingPages > 0) memory.grow(missingPages);
    const input = Buffer.from(memory.buffer);
    input.set(bytes);
    input.fill(0, bytes.length, length);
    checksum(bytes.length);
    return input.toString('hex', 0, sumBytes);
  } catch {
    return undefined;
  }
};
