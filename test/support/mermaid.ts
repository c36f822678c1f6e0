/**
 * A small package with the interface of `mermaid`, by its files. What it draws has the width of a text that has the
 * styles of the diagram, so that it shows whether these apply.
 */
export function standInMermaid(folder: string): Record<string, string> {
  return {
    [`${folder}/package.json`]: '{ "name": "mermaid", "version": "99.0.0", "exports": { "./*": "./*" } }',
    [`${folder}/LICENSE`]: 'MIT',
    [`${folder}/dist/mermaid.esm.min.mjs`]: `
      let settings;
      export default {
        initialize: (given) => void (settings = given),
        render: async (id, source) => (await import('./chunks/mermaid.esm.min/part.mjs')).draw(id, source, settings),
      };`,
    [`${folder}/dist/chunks/mermaid.esm.min/part.mjs`]: `
      export function draw(id, source, { theme }) {
        if (source === 'mistake') throw new Error('mistake on line 1');
        const holder = document.createElement('div');
        holder.innerHTML = '<style>#' + id + ' { display: block; width: 77px }</style><div id="' + id + '"></div>';
        document.body.append(holder);
        const measured = holder.querySelector('#' + id).getBoundingClientRect().width;
        holder.remove();
        const svg = '<svg id="' + id + '" width="100%" viewBox="0 0 120 40" data-theme="' + theme + '" data-measured="' + measured + '">'
          + '<title>Flow</title><desc>From A to B</desc><style>rect { fill: green }</style><rect width="120" height="40"/>'
          + '<foreignObject width="50" height="20"><div xmlns="http://www.w3.org/1999/xhtml">a<br>b</div></foreignObject></svg>';
        return { svg };
      }`,
  };
}
