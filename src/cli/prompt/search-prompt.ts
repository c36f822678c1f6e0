import {
  createPrompt,
  isBackspaceKey,
  isDownKey,
  isEnterKey,
  isUpKey,
  makeTheme,
  useEffect,
  useKeypress,
  useMemo,
  usePagination,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core';
import { loadTextWidth, type TextWidth } from '../output/text-width.ts';
import { visible } from '../output/index.ts';
import type { Find, Found } from './prompt.ts';

const rows = 8;
const batch = 40;

/** A list to walk through, narrowed by typing. What lies further down is loaded on the way there. */
export const loadSearchPrompt = async () => searchPromptWith(await loadTextWidth());

const searchPromptWith = ({ cut }: TextWidth) =>
  createPrompt<string, { message: string; find: Find }>(({ message, find }, done) => {
    const theme = makeTheme({});
    const [term, setTerm] = useState('');
    const [wanted, setWanted] = useState(batch);
    const [active, setActive] = useState(0);
    const [found, setFound] = useState<Found & { term: string }>({ choices: [], complete: false, term: '' });
    const [fault, setFault] = useState<string>();
    const [status, setStatus] = useState('loading');
    const latest = useRef(0);
    const prefix = usePrefix({ status, theme });

    useEffect(() => {
      const turn = ++latest.current;
      setStatus('loading');
      setFault(undefined);
      find(term, wanted).then(
        (result) => {
          if (turn !== latest.current) return;
          setFound({ ...result, term });
          setStatus('idle');
        },
        (error: unknown) => {
          if (turn !== latest.current) return;
          setFault((error as Error).message);
          setStatus('idle');
        },
      );
      return () => {
        latest.current++;
      };
    }, [term, wanted]);

    const { choices, complete } = found;
    const chosen = choices[active];

    useKeypress((key, rl) => {
      if (isEnterKey(key)) {
        // Enter before the list has caught up with what was typed would choose what nobody saw.
        if (chosen && status === 'idle' && found.term === term) {
          setStatus('done');
          done(chosen.value);
        } else rl.write(term);
      } else if (isUpKey(key) || isDownKey(key)) {
        rl.clearLine(0);
        rl.write(term);
        const next = Math.min(Math.max(active + (isUpKey(key) ? -1 : 1), 0), Math.max(choices.length - 1, 0));
        setActive(next);
        if (!complete && next > choices.length - rows && status === 'idle') setWanted(wanted + batch);
      } else if (rl.line !== term || isBackspaceKey(key)) {
        setTerm(rl.line);
        setWanted(batch);
        setActive(0);
      }
    });

    const width = Math.max(20, (process.stderr.columns || 80) - 3);
    const titles = useMemo(() => choices.map(({ title }) => cut(visible(title), width)), [choices, width]);
    const page = usePagination({
      items: titles,
      active: Math.min(active, Math.max(titles.length - 1, 0)),
      renderItem: ({ item, isActive }) => (isActive ? theme.style.highlight(`> ${item}`) : `  ${item}`),
      pageSize: rows,
      loop: false,
    });
    const head = `${prefix} ${theme.style.message(message, status)}`;
    if (status === 'done' && chosen) return `${head} ${theme.style.answer(visible(chosen.title))}`;
    const empty = term === '' ? 'There is nothing to choose from.' : `Nothing fits "${visible(term)}".`;
    const list = choices.length > 0 ? page : status === 'loading' ? '' : theme.style.error(empty);
    const count = complete ? `${choices.length}` : `more than ${choices.length}`;
    const help = theme.style.help(
      `${chosen ? `${visible(chosen.note ?? chosen.value)}, ` : ''}${count} in all. Type to search.`,
    );
    return [
      `${head} ${visible(term)}`,
      [fault ? theme.style.error(visible(fault)) : list, help].filter(Boolean).join('\n'),
    ];
  });
