import * as z from 'zod/mini';
import { dateTime, lazy } from './common.ts';
import { RelativeReference } from './references.ts';

type Reference = z.output<ReturnType<typeof RelativeReference>>;

export interface Leaf {
  object: 'leaf';
  text: string;
  marks: { object: 'mark'; type: 'bold' | 'italic' | 'code' | 'strikethrough' }[];
}
export interface Text {
  object: 'text';
  leaves: Leaf[];
}
export interface InlineLink {
  object: 'inline';
  type: 'link';
  data: { ref: Reference };
  nodes: Text[];
}
export interface Block {
  object: 'block';
  type: string;
  isVoid?: boolean | undefined;
  data: Record<string, unknown>;
  nodes: (Block | Text | InlineLink)[];
}
/** A text as a tree of blocks. */
export interface Tree {
  object: 'document';
  data: { schemaVersion?: number | undefined };
  nodes: Block[];
}

const Text = lazy(() =>
  z.object({
    object: z.literal('text'),
    leaves: z.array(
      z.object({
        object: z.literal('leaf'),
        text: z.string(),
        marks: z.array(
          z.object({ object: z.literal('mark'), type: z.enum(['bold', 'italic', 'code', 'strikethrough']) }),
        ),
      }),
    ),
  }),
);

const InlineLink = lazy(() =>
  z.object({
    object: z.literal('inline'),
    type: z.literal('link'),
    data: z.object({ ref: RelativeReference() }),
    nodes: z.array(Text()),
  }),
);

const Block: () => z.ZodMiniType<Block> = lazy(() =>
  z.object({
    object: z.literal('block'),
    type: z.string(),
    isVoid: z.optional(z.boolean()),
    data: z.record(z.string(), z.unknown()),
    nodes: z.array(z.union([z.lazy(Block), Text(), InlineLink()])),
  }),
);

export const Tree: () => z.ZodMiniType<Tree> = lazy(() =>
  z.object({
    object: z.literal('document'),
    data: z.object({ schemaVersion: z.optional(z.int()) }),
    nodes: z.array(Block()),
  }),
);

const Computed = lazy(() =>
  z.object({
    type: z.string(),
    dependencies: z.optional(z.record(z.string(), z.object({ ref: RelativeReference() }))),
    props: z.optional(z.record(z.string(), z.unknown())),
  }),
);
type Computed = z.output<ReturnType<typeof Computed>>;

const Git = lazy(() => z.object({ oid: z.string(), path: z.string() }));

const Layout = lazy(() =>
  z.object({
    cover: z.boolean(),
    coverSize: z.enum(['hero', 'full']),
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
  }),
);

const Cover = lazy(() => z.object({ ref: RelativeReference(), yPos: z.number() }));

interface AnyPage {
  id: string;
  title: string;
  emoji?: string | undefined;
  icon?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

interface Flags {
  hidden?: boolean | undefined;
  noIndex?: boolean | undefined;
  noRobotsIndex?: boolean | undefined;
}

export interface DocumentPage extends AnyPage, Flags {
  type: 'document';
  urls: { app: string };
  slug: string;
  path: string;
  description?: string | undefined;
  documentId?: string | undefined;
  pages: Page[];
  layout: z.output<ReturnType<typeof Layout>>;
  cover?: z.output<ReturnType<typeof Cover>> | undefined;
  git?: { oid: string; path: string } | undefined;
  computed?: Computed | undefined;
  computedSeed?: string | undefined;
  markdown?: string | undefined;
  document?: Tree | undefined;
}

interface GroupPage extends AnyPage, Flags {
  type: 'group';
  slug: string;
  path: string;
  pages: Page[];
}

export interface LinkPage extends AnyPage {
  type: 'link';
  target: Reference;
  href?: string | undefined;
  hidden?: boolean | undefined;
}

interface ComputedPage extends AnyPage {
  type: 'computed';
  computed: Computed;
}

export type Page = DocumentPage | GroupPage | LinkPage | ComputedPage;

const any = () => ({
  id: z.string(),
  title: z.string(),
  emoji: z.optional(z.string()),
  icon: z.optional(z.string()),
  createdAt: z.optional(dateTime()),
  updatedAt: z.optional(dateTime()),
});

const flags = () => ({
  hidden: z.optional(z.boolean()),
  noIndex: z.optional(z.boolean()),
  noRobotsIndex: z.optional(z.boolean()),
});

/** A page with those below it, by type. */
export const Page: () => z.ZodMiniType<Page> = lazy(() => {
  const pages = z.array(z.lazy(Page));
  return z.discriminatedUnion('type', [
    z.object({
      ...any(),
      ...flags(),
      type: z.literal('document'),
      urls: z.object({ app: z.string() }),
      slug: z.string(),
      path: z.string(),
      description: z.optional(z.string()),
      documentId: z.optional(z.string()),
      pages,
      layout: Layout(),
      cover: z.optional(Cover()),
      git: z.optional(Git()),
      computed: z.optional(Computed()),
      computedSeed: z.optional(z.string()),
      markdown: z.optional(z.string()),
      document: z.optional(Tree()),
    }),
    z.object({ ...any(), ...flags(), type: z.literal('group'), slug: z.string(), path: z.string(), pages }),
    z.object({
      ...any(),
      type: z.literal('link'),
      target: RelativeReference(),
      href: z.optional(z.string()),
      hidden: z.optional(z.boolean()),
    }),
    z.object({ ...any(), type: z.literal('computed'), computed: Computed() }),
  ]);
});

export const File = lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    downloadURL: z.string(),
    size: z.number(),
    dimensions: z.optional(z.object({ width: z.number(), height: z.number() })),
    git: z.optional(Git()),
  }),
);
