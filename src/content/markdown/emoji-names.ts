import { nameToEmoji } from 'gemoji';

/** By name: GitHub's names, and others that editors use. */
const characters: Record<string, string> = Object.assign(Object.create(null), nameToEmoji, {
  blue_circle: '🔵',
  nerd: '🤓',
  puzzle_piece: '🧩',
  robot_face: '🤖',
  thinking_face: '🤔',
  tools: '🛠️',
  upside_down: '🙃',
});

/** Replaces names such as `:rocket:`. */
export function withEmoji(text: string): string {
  if (!text.includes(':')) return text;
  return text.replaceAll(/:([a-z0-9_+-]{1,40}):/g, (whole, name: string) => characters[name] ?? whole);
}
