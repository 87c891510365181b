// The grammar of rich documents: every block and inline of the wire, what data it carries and what may stand
// inside. One table feeds the types, the checker and the fitting of Markdown into the model. It follows the public
// document schema, version 0.146.0, and accepts the later additions that clients already send (marked "later").
import { type TObject, type TProperties, Type } from 'typebox'
import {
  ANCHOR,
  align,
  anyRef,
  color,
  data,
  HINT_STYLES,
  length,
  mediaRef,
  REFERENCES,
  tableData,
} from './values.ts'

const optional = Type.Optional

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
