const vowels = /[aeiou]/;
const minLength = 3;

/** Forms of an English word that a search for it also finds, such as `domains` for `domain`. The word itself is first. */
export function inflectionsOf(word: string): string[] {
  if (word.length < minLength || !/^[a-z]+$/.test(word)) return [word];
  const forms = new Set([word]);
  for (const stem of [word, ...stemsOf(word)]) {
    forms.add(stem);
    for (const form of formsOf(stem)) forms.add(form);
  }
  return [...forms];
}

/** What the word may be a form of. */
function stemsOf(word: string): string[] {
  const stems: string[] = [];
  const cut = (ending: string, ...replacements: string[]) => {
    const stem = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || stem.length < minLength || !vowels.test(stem)) return;
    for (const replacement of replacements) stems.push(stem + replacement);
    const last = stem.at(-1) ?? '';
    if (/^(?:ing|ed)$/.test(ending) && stem.at(-2) === last && !/[aeiouls]/.test(last)) stems.push(stem.slice(0, -1));
  };
  if (!word.endsWith('ss')) cut('s', '');
  cut('es', '');
  cut('ies', 'y');
  cut('ing', '', 'e');
  cut('ed', '', 'e');
  cut('ation', '', 'e');
  cut('ion', '', 'e');
  return stems;
}

function formsOf(stem: string): string[] {
  if (stem.endsWith('e')) {
    const start = stem.slice(0, -1);
    return [
      `${stem}s`,
      `${stem}d`,
      `${start}ing`,
      ...(start.length > minLength ? [`${start}ation`, `${start}ion`] : []),
    ];
  }
  if (/[^aeiou]y$/.test(stem)) return [`${stem.slice(0, -1)}ies`, `${stem.slice(0, -1)}ied`, `${stem}ing`];
  const plural = /(?:s|x|z|ch|sh)$/.test(stem) ? `${stem}es` : `${stem}s`;
  const last = /^[^aeiou]*[aeiou][bdgmnprt]$/.test(stem) ? (stem.at(-1) ?? '') : '';
  return [plural, `${stem}${last}ing`, `${stem}${last}ed`, ...(stem.length > 4 ? [`${stem}ation`, `${stem}ion`] : [])];
}
