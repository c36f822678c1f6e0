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
import { messageOf } from '../../shared/error-text.ts';
import { visible } from '../output/index.ts';
import { loadTextWidth, type TextWidth } from '../output/text-width.ts';
import type { Find, FirstChoices } from './prompt.ts';

const visibleRows = 8;
/** How many more choices are loaded when the end of the list comes near. */
const batchSize = 40;

/** A list with a cursor, narrowed by typing. Choices further down are loaded when the cursor comes near them. */
export const loadSearchPrompt = async () => searchPromptWith(await loadTextWidth());

const searchPromptWith = ({ cut }: TextWidth) =>
  createPrompt<string, { message: string; find: Find }>(({ message, find }, done) => {
    const theme = makeTheme({});
    const search = useSearch(find);
    const { term, choices, complete, status } = search;
    const [active, setActive] = useState(0);
    const prefix = usePrefix({ status, theme });
    const last = Math.max(choices.length - 1, 0);
    const activeChoice = choices[active];

    useKeypress((key, readline) => {
      if (isEnterKey(key)) {
        // While the choices of a new term are loading, Enter would pick a choice of the old term.
        if (activeChoice && search.isCurrent) {
          search.end();
          done(activeChoice.value);
        } else readline.write(term);
      } else if (isUpKey(key) || isDownKey(key)) {
        readline.clearLine(0);
        readline.write(term);
        const next = Math.min(Math.max(active + (isUpKey(key) ? -1 : 1), 0), last);
        setActive(next);
        if (!complete && next > choices.length - visibleRows && status === 'idle') search.loadMore();
      } else if (readline.line !== term || isBackspaceKey(key)) {
        search.searchFor(readline.line);
        setActive(0);
      }
    });

    const width = Math.max(20, (process.stderr.columns || 80) - 3);
    const titles = useMemo(() => choices.map(({ title }) => cut(visible(title), width)), [choices, width]);
    const rows = usePagination({
      items: titles,
      active: Math.min(active, last),
      renderItem: ({ item, isActive }) => (isActive ? theme.style.highlight(`> ${item}`) : `  ${item}`),
      pageSize: visibleRows,
      loop: false,
    });
    const question = `${prefix} ${theme.style.message(message, status)}`;
    if (status === 'done' && activeChoice) return `${question} ${theme.style.answer(visible(activeChoice.title))}`;
    const problem = problemOf(search);
    const list = problem === undefined ? (choices.length > 0 ? rows : '') : theme.style.error(problem);
    const activeNote = activeChoice ? `${visible(activeChoice.note ?? activeChoice.value)}, ` : '';
    const total = complete ? choices.length : `more than ${choices.length}`;
    const help = theme.style.help(`${activeNote}${total} in all. Type to search.`);
    return [`${question} ${visible(term)}`, [list, help].filter(Boolean).join('\n')];
  });

interface Search extends FirstChoices {
  /** What was typed. */
  term: string;
  status: 'loading' | 'idle' | 'done';
  /** Why the choices could not be loaded. */
  failure: string | undefined;
  /** Whether the choices are those of `term`. */
  isCurrent: boolean;
  searchFor(term: string): void;
  loadMore(): void;
  end(): void;
}

/** The choices for what was typed, loaded whenever the term or the number of choices changes. */
function useSearch(find: Find): Search {
  const [term, setTerm] = useState('');
  const [count, setCount] = useState(batchSize);
  const [result, setResult] = useState<FirstChoices & { term: string }>({ choices: [], complete: false, term: '' });
  const [failure, setFailure] = useState<string>();
  const [status, setStatus] = useState<Search['status']>('loading');
  const latest = useRef(0);

  useEffect(() => {
    const turn = ++latest.current;
    setStatus('loading');
    setFailure(undefined);
    find(term, count)
      .then(
        (loaded) => () => setResult({ ...loaded, term }),
        (error: unknown) => () => setFailure(messageOf(error)),
      )
      .then((update) => {
        // An answer that a later search has overtaken is dropped.
        if (turn !== latest.current) return;
        update();
        setStatus('idle');
      });
    return () => {
      latest.current++;
    };
  }, [term, count]);

  return {
    ...result,
    term,
    status,
    failure,
    isCurrent: status === 'idle' && result.term === term,
    searchFor(text) {
      setTerm(text);
      setCount(batchSize);
    },
    loadMore: () => setCount(count + batchSize),
    end: () => setStatus('done'),
  };
}

/** Why there is no list to show. */
function problemOf({ failure, choices, status, term }: Search): string | undefined {
  if (failure !== undefined) return visible(failure);
  if (choices.length > 0 || status === 'loading') return undefined;
  return term === '' ? 'There is nothing to choose from.' : `Nothing matches "${visible(term)}".`;
}
