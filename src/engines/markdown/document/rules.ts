// The grammar of rich documents: every block and inline of the wire, what data it carries and what may stand
// inside. One table feeds the types, the checker, the fitting of Markdown into the model and the JSON schema.
// It follows the public document schema, version 0.146.0, plus the later additions that clients already send
// (they are marked "later"); a node that is marked `isVoid` carries no nodes, only data and fragments.
import { type TObject, type TProperties, Type } from 'typebox'

const optional = Type.Optional
/** Data objects are open: a client that is newer than this table keeps its extra members. */
const data = <T extends TProperties>(properties: T): TObject<T> => Type.Object(properties)

// ---- values ----------------------------------------------------------------------------------------------

const space = { space: optional(Type.String()) }

/** The kinds of reference a document may hold, by `kind`. */
export const REFERENCES = {
  url: data({ kind: Type.Literal('url'), url: Type.String() }),
  file: data({ kind: Type.Literal('file'), file: Type.String(), ...space }),
  page: data({ kind: Type.Literal('page'), page: Type.String(), ...space }),
  anchor: data({
    kind: Type.Literal('anchor'),
    anchor: Type.String(),
    page: optional(Type.String()),
    ...space,
  }),
  user: data({ kind: Type.Literal('user'), user: Type.String() }),
  collection: data({ kind: Type.Literal('collection'), collection: Type.String() }),
  space: data({ kind: Type.Literal('space'), space: Type.String() }),
  'reusable-content': data({
    kind: Type.Literal('reusable-content'),
    reusableContent: Type.String(),
    ...space,
  }),
  openapi: data({ kind: Type.Literal('openapi'), spec: Type.String() }),
  tag: data({ kind: Type.Literal('tag'), tag: Type.String(), ...space }), // later
}

type AnyReference = { [K in keyof typeof REFERENCES]: Type.Static<(typeof REFERENCES)[K]> }
const anyRef = Type.Unsafe<AnyReference[keyof AnyReference]>(Type.Union(Object.values(REFERENCES)))
const mediaRef = Type.Union([REFERENCES.url, REFERENCES.file])

/** A link target as documents spell it; `url` with the destination as written when nothing was found. */
export type Reference = Type.Static<typeof anyRef>
export type MediaReference = Type.Static<typeof mediaRef>

const length = Type.Union([Type.Number(), data({ unit: Type.String(), value: Type.Number() })])
const align = Type.Enum(['start', 'center', 'end'])

/** Colours of text and of its background; the last four came later. */
export const COLORS = [
  ...(['default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple'] as const),
  ...(['$primary', '$info', '$success', '$warning', '$danger'] as const),
  ...(['pink', 'violet', 'cyan', '$tint'] as const),
] as const
const color = Type.Enum(COLORS)
export type Color = (typeof COLORS)[number]

export const HINT_STYLES = ['info', 'warning', 'danger', 'success'] as const

/** A heading's own anchor. */
export const ANCHOR = /^[-a-z0-9.+_]+$/

export const MARKS = {
  bold: undefined,
  italic: undefined,
  code: undefined,
  keyboard: undefined,
  strikethrough: undefined,
  superscript: undefined,
  subscript: undefined,
  color: data({ text: color, background: color }),
}

// ---- tables ----------------------------------------------------------------------------------------------

const base = { id: Type.String(), title: Type.String() }
const column = <const T extends string, P extends TProperties>(type: T, extras: P) =>
  data({ ...base, type: Type.Literal(type), ...extras })

export const TABLE_COLUMNS = {
  text: column('text', {
    textAlignment: Type.Enum(['center', 'right', 'left']),
    verticalAlignment: Type.Enum(['top', 'middle', 'bottom']),
  }),
  number: column('number', {}),
  checkbox: column('checkbox', {}),
  files: column('files', {}),
  'content-ref': column('content-ref', {}),
  image: column('image', {}),
  users: column('users', { multiple: Type.Boolean() }),
  rating: column('rating', { max: Type.Number() }),
  select: column('select', {
    multiple: Type.Boolean(),
    options: Type.Array(data({ value: Type.String(), label: Type.String(), color: Type.String() })),
  }),
}

type AnyColumn = { [K in keyof typeof TABLE_COLUMNS]: Type.Static<(typeof TABLE_COLUMNS)[K]> }
const anyColumn = Type.Unsafe<AnyColumn[keyof AnyColumn]>(Type.Union(Object.values(TABLE_COLUMNS)))

const tableValue = Type.Union([
  Type.Number(),
  Type.String(),
  Type.Null(),
  Type.Boolean(),
  Type.Array(Type.String()),
  anyRef,
  data({
    ref: mediaRef,
    objectFit: optional(Type.Enum(['contain', 'fill', 'cover'])),
    alt: optional(Type.String()),
  }),
])

const tableView = Type.Union([
  data({
    type: Type.Literal('grid'),
    columns: Type.Array(Type.String()),
    columnWidths: optional(Type.Record(Type.String(), Type.Number())),
    hideHeader: Type.Boolean(),
    useNewSizing: optional(Type.Boolean()),
    stickyHeader: optional(Type.Boolean()), // later
    stickyFirstColumn: optional(Type.Boolean()), // later
  }),
  data({
    type: Type.Literal('cards'),
    cardSize: Type.Enum(['medium', 'large']),
    columns: Type.Array(Type.String()),
    targetDefinition: optional(Type.String()),
    coverDefinition: optional(Type.String()),
    coverDefinitionDark: optional(Type.String()),
    hideColumnTitle: optional(Type.Boolean()),
    wrap: optional(Type.Boolean()), // later
  }),
])

const tableData = data({
  view: tableView,
  records: Type.Record(
    Type.String(),
    data({ orderIndex: Type.String(), values: Type.Record(Type.String(), tableValue) }),
  ),
  definition: Type.Record(Type.String(), anyColumn),
  fullWidth: optional(Type.Boolean()),
  search: optional(Type.Boolean()), // later
})

// ---- what may stand in what --------------------------------------------------------------------------------

/** Blocks that nearly every container may hold. */
export const ESSENTIALS = [
  ...(['paragraph', 'heading-1', 'heading-2', 'heading-3'] as const),
  ...(['list-ordered', 'list-unordered', 'list-tasks', 'divider'] as const),
] as const

const SECTION = [
  ...ESSENTIALS,
  ...(['content-ref', 'code', 'embed', 'file', 'images', 'drawing'] as const),
  ...(['hint', 'blockquote', 'math', 'integration'] as const),
] as const

/** Blocks that may stand in the document itself; `if` and `columns` and the last two came later. */
export const TOP_LEVEL = [
  ...ESSENTIALS,
  ...([
    'blockquote',
    'hint',
    'images',
    'file',
    'drawing',
    'embed',
    'code',
    'math',
    'expandable',
    'tabs',
  ] as const),
  ...([
    'table',
    'swagger',
    'openapi-operation',
    'openapi-schemas',
    'openapi-webhook',
    'content-ref',
  ] as const),
  ...(['integration', 'reusable-content', 'stepper', 'if', 'columns', 'prompt', 'updates'] as const),
] as const

/** Inlines, and the text between them, as a paragraph or heading holds them. */
export const INLINE_NAMES = [
  ...(['inline-image', 'link', 'emoji', 'icon', 'expression', 'inline-math'] as const),
  ...(['annotation', 'mention', 'button'] as const),
] as const

export type FragmentRule = {
  readonly holds: readonly string[]
  readonly isRequired: boolean
  /** Most nodes it may have; unbounded when absent. */
  readonly most?: number
}

export type NodeRule = {
  readonly isVoid: boolean
  /** The wire must say `isVoid`, not only imply it. */
  readonly needsVoid: boolean
  readonly data: TObject
  readonly needsData: boolean
  /** Names of the blocks and inlines that may stand in `nodes`; `text` for text. Absent for void nodes. */
  readonly holds?: readonly string[]
  readonly most?: number
  readonly least?: number
  /** By slot name; `*` is any name. */
  readonly fragments?: { readonly [slot: string]: FragmentRule }
}

const INLINE = [...INLINE_NAMES, 'text'] as const

const holder = <T extends TProperties>(properties: T, holds: readonly string[]) => ({
  isVoid: false,
  needsVoid: false,
  data: data(properties),
  needsData: true,
  holds,
})
const leaf = <T extends TProperties>(properties: T) => ({
  isVoid: true,
  needsVoid: true,
  data: data(properties),
  needsData: true,
})
const withoutData = { needsData: false }

const heading = holder(
  { id: optional(Type.String({ pattern: ANCHOR.source })), align: optional(align) },
  INLINE,
)
const openapi = { path: Type.String(), method: Type.String(), ref: REFERENCES.openapi }
const headless = { headless: optional(Type.Boolean()) } // later
const fullWidth = { fullWidth: optional(Type.Boolean()) }

export const BLOCKS = {
  paragraph: { ...holder({ align: optional(align) }, INLINE), ...withoutData },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'code-line': holder({ highlighted: optional(Type.Boolean()) }, ['text', 'annotation', 'expression']),
  code: holder(
    {
      syntax: optional(Type.String()),
      title: optional(Type.String()),
      overflow: optional(Type.Enum(['scroll', 'wrap'])),
      lineNumbers: optional(Type.Boolean()),
      ...fullWidth,
      expandable: optional(Type.Boolean()),
      collapsedLineCount: optional(Type.Integer({ minimum: 1 })),
    },
    ['code-line'],
  ),
  // Icons, and the last three children, came later.
  hint: holder({ style: Type.Enum(HINT_STYLES), icon: optional(Type.String()) }, [
    ...ESSENTIALS,
    ...(['embed', 'integration', 'table'] as const),
  ]),
  blockquote: { ...holder({}, [...ESSENTIALS, 'blockquote']), ...withoutData },
  math: leaf({ formula: Type.String() }),
  table: {
    ...leaf(tableData.properties),
    fragments: { '*': { holds: TOP_LEVEL, isRequired: false } },
  },
  'list-item': {
    ...holder({ checked: optional(Type.Boolean()) }, [
      ...ESSENTIALS,
      ...(['code', 'hint', 'blockquote', 'math', 'table'] as const),
    ]),
    ...withoutData,
  },
  'list-ordered': holder({ start: optional(Type.Number()) }, ['list-item']),
  'list-unordered': { ...holder({}, ['list-item']), ...withoutData },
  'list-tasks': { ...holder({}, ['list-item']), ...withoutData },
  divider: leaf({}),
  if: holder({ expression: Type.String() }, TOP_LEVEL),
  image: {
    ...leaf({
      ref: mediaRef,
      refDark: optional(mediaRef),
      width: optional(length),
      height: optional(length),
      alt: optional(Type.String()),
    }),
    fragments: { caption: { holds: ['paragraph'], isRequired: false } },
  },
  images: {
    ...holder(
      {
        align: optional(Type.Enum(['center', 'left', 'right'])),
        ...fullWidth,
        withFrame: optional(Type.Boolean()),
      },
      ['image'],
    ),
    needsVoid: true,
  },
  file: leaf({ ref: REFERENCES.file }),
  drawing: leaf({ ref: optional(REFERENCES.file) }),
  embed: leaf({ url: Type.String(), ...fullWidth }),
  'reusable-content': leaf({ ref: REFERENCES['reusable-content'] }),
  expandable: {
    ...leaf({ defaultExpanded: optional(Type.Boolean()) }), // its data came later
    fragments: {
      'expandable-title': { holds: ['paragraph'], isRequired: true, most: 1 },
      'expandable-body': {
        holds: [
          ...ESSENTIALS,
          ...(['images', 'code', 'table', 'hint', 'blockquote', 'reusable-content'] as const),
        ],
        isRequired: true,
      },
    },
  },
  'content-ref': leaf({ ref: anyRef }),
  integration: leaf({
    integration: Type.String(),
    block: Type.String(),
    props: Type.Record(Type.String(), Type.Unknown()),
    action: optional(data({ action: Type.String() })),
    url: optional(Type.String()),
    ...fullWidth,
  }),
  'tabs-item': holder(
    {
      title: optional(Type.String()),
      icon: optional(Type.String()), // later
      slug: optional(Type.String()), // later
    },
    SECTION,
  ),
  tabs: { ...holder(fullWidth, ['tabs-item']), ...withoutData },
  swagger: leaf({
    path: Type.String(),
    method: Type.String(),
    ref: mediaRef,
    expanded: optional(Type.Boolean()),
    ...fullWidth,
  }),
  'openapi-operation': leaf({ ...openapi, ...headless }),
  'openapi-schemas': leaf({
    schemas: Type.Array(Type.String()),
    grouped: optional(Type.Boolean()),
    ref: REFERENCES.openapi,
  }),
  'openapi-webhook': leaf({
    name: Type.String(),
    method: Type.String(),
    ref: REFERENCES.openapi,
    ...headless,
  }),
  'stepper-step': holder({ icon: optional(Type.String()) }, SECTION),
  stepper: { ...holder({}, ['stepper-step']), ...withoutData },
  column: holder(
    { width: optional(length), verticalAlignment: optional(Type.Enum(['top', 'middle', 'bottom'])) },
    [...SECTION, 'table'],
  ),
  columns: { ...holder(fullWidth, ['column']), needsVoid: true },
  // The three below came later.
  prompt: {
    ...holder(
      {
        description: Type.String(),
        icon: optional(Type.String()),
        openInAIProviders: optional(Type.Unknown()),
        defaultExpanded: optional(Type.Enum(['hidden', 'partial', 'full'])),
      },
      ['code'],
    ),
    least: 1,
    most: 1,
  },
  updates: holder({ format: Type.Enum(['numeric', 'full', 'short']) }, ['update']),
  update: holder({ date: Type.String(), tags: optional(Type.Unknown()) }, TOP_LEVEL),
} satisfies { [type: string]: NodeRule }

export const INLINES = {
  'inline-image': leaf({
    ref: mediaRef,
    refDark: optional(mediaRef),
    caption: optional(Type.String()),
    alt: optional(Type.String()),
    size: optional(Type.Enum(['original', 'line'])),
  }),
  link: holder({ ref: anyRef }, ['text', 'inline-image']),
  emoji: leaf({ code: Type.String() }),
  icon: leaf({ icon: Type.String(), color: optional(color) }),
  expression: leaf({ expression: Type.String() }),
  'inline-math': leaf({ formula: Type.String() }),
  annotation: {
    ...holder({}, ['text']),
    ...withoutData,
    needsVoid: true,
    fragments: { 'annotation-body': { holds: [...ESSENTIALS, 'code'], isRequired: true } },
  },
  mention: leaf({ ref: anyRef }),
  // A button has a target, or (later) an action instead of it.
  button: leaf({
    label: Type.String(),
    kind: Type.Enum(['primary', 'secondary']),
    icon: optional(Type.String({ maxLength: 50 })),
    size: optional(Type.String()), // later
    ref: optional(anyRef),
    action: optional(Type.Unknown()),
  }),
} satisfies { [type: string]: NodeRule }
