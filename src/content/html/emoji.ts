import { nameToEmoji } from 'gemoji';

/** By name: those of GitHub, and others that editors write. */
const characters: Record<string, string> = Object.assign(Object.create(null), nameToEmoji, {
  blue_circle: '🔵',
  nerd: '🤓',
  puzzle_piece: '🧩',
  robot_face: '🤖',
  thinking_face: '🤔',
  tools: '🛠️',
  upside_down: '🙃',
});

/** The text with names such as `:rocket:` replaced. */
export function withEmoji(text: string): string {
  if (!text.includes(':')) return text;
  return text.replaceAll(/:([a-z0-9_+-]{1,40}):/g, (whole, name: string) => characters[name] ?? whole);
}

export function emojiOfCode(code: string): string | undefined {
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  return points.every((point) => point > 0x22 && point <= 0x10_ff_ff) ? String.fromCodePoint(...points) : undefined;
}
