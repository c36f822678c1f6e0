import type { Run, Style } from './text/run.ts';

/** TeX commands for single characters. */
const signs: Record<string, string> = Object.fromEntries(
  (
    'alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω ' +
    'Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω sum ∑ prod ∏ int ∫ infty ∞ partial ∂ nabla ∇ sqrt √ ' +
    'times × div ÷ cdot · pm ± leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ equiv ≡ in ∈ subset ⊂ cup ∪ cap ∩ forall ∀ exists ∃ ' +
    'to → rightarrow → leftarrow ← Rightarrow ⇒ ldots … cdots ⋯ dots …'
  )
    .split(' ')
    .flatMap((word, index, words): [string, string][] => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [])),
);

/** Writes a formula in one line: signs, superscripts, subscripts, and fractions with a slash. The rest stays TeX. */
export function formulaRuns(tex: string, style: Style = {}): Run[] {
  const runs: Run[] = [];
  const add = (text: string, shift?: 'up' | 'down') => {
    const isLetters = /^[a-z]+$/i.test(text);
    runs.push({ ...style, text, ...(isLetters && !shift ? { italic: true } : {}), ...(shift ? { shift } : {}) });
  };
  for (const { groups = {} } of simplified(tex).matchAll(part)) {
    const { sign, shift, group, single, text = '' } = groups;
    if (shift !== undefined) add(group ?? single ?? '', shift === '^' ? 'up' : 'down');
    else if (sign !== undefined) add(signs[sign] ?? `\\${sign}`);
    else add(text.replaceAll(/[{}]/g, ''));
  }
  return runs;
}

const part =
  /\\(?<sign>[a-zA-Z]+) ?|(?<shift>[\^_])(?:\{(?<group>[^{}]*)\}|(?<single>[^\s{}\\]))|(?<text>[a-zA-Z]+|[^a-zA-Z\\^_]|[\\^_])/g;

/** Turns fractions into quotients and removes commands that only affect the layout. */
function simplified(tex: string): string {
  return tex
    .replaceAll(/\\(?:left|right|displaystyle|quad|qquad|,|;|!)(?![a-zA-Z])/g, ' ')
    .replaceAll(/\\(?:text|mathrm|mathbf|mathit|operatorname)\{([^{}]*)\}/g, '$1')
    .replaceAll(/\\d?frac\{([^{}]*)\}\{([^{}]*)\}/g, '($1)/($2)')
    .replaceAll(/\\sqrt\{([^{}]*)\}/g, '√($1)')
    .replaceAll(/\^\{?\\([a-zA-Z]+)\}?/g, (_, name: string) => `^{${signs[name] ?? name}}`)
    .replaceAll(/_\{?\\([a-zA-Z]+)\}?/g, (_, name: string) => `_{${signs[name] ?? name}}`);
}
