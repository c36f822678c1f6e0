import { DOMParser, type Element, type Node, XMLSerializer } from '@xmldom/xmldom';

const math = 'http://schemas.openxmlformats.org/officeDocument/2006/math';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A document of Word whose formulas are marks, in the order of their sources. */
export interface MarkedFormulas {
  xml: string;
  formulas: string[];
}

/** The placeholder of a formula in a text that is converted. */
export const formulaMark = (index: number): string => `\uE0F0${index}\uE0F1`;
export const formulaMarks = /\uE0F0(\d{1,6})\uE0F1/g;

/** Replaces the formulas of a document by marks. The converter of documents drops them. */
export function markFormulas(xml: string): MarkedFormulas {
  const formulas: string[] = [];
  if (!xml.includes('oMath')) return { xml, formulas };
  const document = new DOMParser({ onError: () => {} }).parseFromString(xml, 'text/xml');
  const found = Array.from(document.getElementsByTagNameNS(math, 'oMath'));
  for (const formula of found) {
    const holder = formula.parentNode?.localName === 'oMathPara' ? formula.parentNode : formula;
    const run = document.createElementNS(word, 'w:r');
    const text = document.createElementNS(word, 'w:t');
    text.appendChild(document.createTextNode(formulaMark(formulas.length)));
    run.appendChild(text);
    formulas.push(latexOf(formula).trim());
    if (holder === formula) formula.parentNode?.replaceChild(run, formula);
    else holder.parentNode?.insertBefore(run, holder);
  }
  const holders = Array.from(document.getElementsByTagNameNS(math, 'oMathPara'));
  for (const holder of holders) holder.parentNode?.removeChild(holder);
  return { xml: new XMLSerializer().serializeToString(document), formulas };
}

const children = (node: Node): Element[] =>
  [...node.childNodes].filter((child): child is Element => child.nodeType === 1);
const child = (node: Node, name: string): Element | undefined =>
  children(node).find(({ localName }) => localName === name);

/** The formula in a part of another one, in braces. */
const part = (node: Node, name: string): string => {
  const found = child(node, name);
  return `{${found ? latexOf(found) : ''}}`;
};

/** A setting such as the sign of a sum. */
const setting = (node: Node, holder: string, name: string): string | undefined => {
  const properties = child(node, holder);
  const found = properties && child(properties, name);
  return found?.getAttributeNS(math, 'val') ?? found?.getAttribute('m:val') ?? undefined;
};

const accents: Record<string, string> = {
  '\u0302': '\\hat', '\u0303': '\\tilde', '\u0304': '\\bar', '\u0305': '\\overline', '\u0307': '\\dot',
  '\u0308': '\\ddot', '\u20D7': '\\vec',
}; // prettier-ignore
const sums: Record<string, string> = {
  '∑': '\\sum', '∏': '\\prod', '∫': '\\int', '∬': '\\iint', '∮': '\\oint', '⋃': '\\bigcup', '⋂': '\\bigcap',
}; // prettier-ignore
const signs: Record<string, string> = {
  '×': '\\times ', '÷': '\\div ', '±': '\\pm ', '≤': '\\le ', '≥': '\\ge ', '≠': '\\ne ', '≈': '\\approx ',
  '∞': '\\infty ', '→': '\\to ', '∈': '\\in ', '∂': '\\partial ', '∇': '\\nabla ', '⋅': '\\cdot ', '·': '\\cdot ',
  α: '\\alpha ', β: '\\beta ', γ: '\\gamma ', δ: '\\delta ', ε: '\\epsilon ', θ: '\\theta ', λ: '\\lambda ',
  μ: '\\mu ', π: '\\pi ', ρ: '\\rho ', σ: '\\sigma ', τ: '\\tau ', φ: '\\phi ', ω: '\\omega ', Δ: '\\Delta ',
  Σ: '\\Sigma ', Ω: '\\Omega ', '−': '-', '\\': '\\backslash ', '%': '\\%', '#': '\\#', $: '\\$', '&': '\\&',
  _: '\\_', '{': '\\{', '}': '\\}',
}; // prettier-ignore

const textOf = (node: Element): string => [...(node.textContent ?? '')].map((sign) => signs[sign] ?? sign).join('');

const writers: Record<string, (node: Element) => string> = {
  t: textOf,
  f: (node) =>
    setting(node, 'fPr', 'type') === 'noBar'
      ? `\\binom${part(node, 'num')}${part(node, 'den')}`
      : `\\frac${part(node, 'num')}${part(node, 'den')}`,
  sSup: (node) => `${part(node, 'e')}^${part(node, 'sup')}`,
  sSub: (node) => `${part(node, 'e')}_${part(node, 'sub')}`,
  sSubSup: (node) => `${part(node, 'e')}_${part(node, 'sub')}^${part(node, 'sup')}`,
  sPre: (node) => `{}_${part(node, 'sub')}^${part(node, 'sup')}${part(node, 'e')}`,
  rad: (node) => {
    const degree = part(node, 'deg').slice(1, -1);
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}${part(node, 'e')}`;
  },
  nary: (node) => {
    const sign = setting(node, 'naryPr', 'chr') ?? '∫';
    const [below, above] = [part(node, 'sub'), part(node, 'sup')];
    return `${sums[sign] ?? sign}${below === '{}' ? '' : `_${below}`}${above === '{}' ? '' : `^${above}`}${part(node, 'e')}`;
  },
  d: (node) => {
    const open = setting(node, 'dPr', 'begChr') ?? '(';
    const close = setting(node, 'dPr', 'endChr') ?? ')';
    const inner = children(node)
      .filter(({ localName }) => localName === 'e')
      .map(latexOf);
    const sign = (value: string) => (value === '' ? '.' : (signs[value] ?? value));
    return `\\left${sign(open)}${inner.join(setting(node, 'dPr', 'sepChr') ?? '|')}\\right${sign(close)}`;
  },
  m: (node) => {
    const rows = children(node).filter(({ localName }) => localName === 'mr');
    return `\\begin{matrix}${rows.map((row) => children(row).map(latexOf).join(' & ')).join(' \\\\ ')}\\end{matrix}`;
  },
  eqArr: (node) =>
    `\\begin{aligned}${children(node)
      .filter(({ localName }) => localName === 'e')
      .map(latexOf)
      .join(' \\\\ ')}\\end{aligned}`,
  func: (node) => {
    const name = part(node, 'fName').slice(1, -1);
    const known = /^(?:sin|cos|tan|log|ln|lim|max|min|exp|det)$/.test(name);
    return `${known ? `\\${name}` : `\\operatorname{${name}}`}${part(node, 'e')}`;
  },
  acc: (node) => `${accents[setting(node, 'accPr', 'chr') ?? '\u0302'] ?? '\\hat'}${part(node, 'e')}`,
  bar: (node) => `${setting(node, 'barPr', 'pos') === 'bot' ? '\\underline' : '\\overline'}${part(node, 'e')}`,
  limLow: (node) => `\\underset${part(node, 'lim')}${part(node, 'e')}`,
  limUpp: (node) => `\\overset${part(node, 'lim')}${part(node, 'e')}`,
};

/** A formula of Word in LaTeX. Of parts without a counterpart, the text stays. */
function latexOf(node: Element): string {
  const writer = writers[node.localName ?? ''];
  if (writer) return writer(node);
  return children(node)
    .filter(({ localName }) => !localName?.endsWith('Pr'))
    .map(latexOf)
    .join('');
}
