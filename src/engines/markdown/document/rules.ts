// The grammar of rich documents: every block and inline of the wire, its data and the children it may
// have. One table feeds the types and the checker. It follows the public document schema, version 0.146.0, and accepts
// the later additions that clients already send (marked "later").
import { type TObject, type TProperties, Type } from 'typebox'
import { ANCHOR } from '../schema/schema.ts'
import { ALLOWED_CHILDREN, heldBy } from './allowed-children.ts'
import { dataOf } from './tag-data.ts'
import { align, anyRef, color, data, length, mediaRef, REFERENCES, tableData } from './values.ts'

const optional = Type.Optional

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
  /** Names of the blocks and inlines that `nodes` may hold; `text` for text. Absent for void nodes. */
  readonly holds?: readonly string[]
  readonly most?: number
  readonly least?: number
  /** By slot name; `*` is any name. */
  readonly fragments?: { readonly [slot: string]: FragmentRule }
}

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
  ALLOWED_CHILDREN.heading,
)
const { headless, expanded, fullWidth } = dataOf('openapi-operation')
const ofSchemas = dataOf('openapi-schemas')

export const BLOCKS = {
  paragraph: { ...holder({ align: optional(align) }, ALLOWED_CHILDREN.paragraph), ...withoutData },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'code-line': holder({ highlighted: optional(Type.Boolean()) }, ALLOWED_CHILDREN['code-line']),
  code: holder({ syntax: optional(Type.String()), ...dataOf('code') }, ALLOWED_CHILDREN.code),
  hint: holder(dataOf('hint'), heldBy('hint')),
  blockquote: { ...holder({}, ALLOWED_CHILDREN.blockquote), ...withoutData },
  math: leaf({ formula: Type.String() }),
  table: {
    ...leaf(tableData.properties),
    fragments: { '*': { holds: ALLOWED_CHILDREN.cell, isRequired: false } },
  },
  'list-item': {
    ...holder({ checked: optional(Type.Boolean()) }, ALLOWED_CHILDREN['list-item']),
    ...withoutData,
  },
  'list-ordered': holder({ start: optional(Type.Number()) }, ALLOWED_CHILDREN.list),
  'list-unordered': { ...holder({}, ALLOWED_CHILDREN.list), ...withoutData },
  'list-tasks': { ...holder({}, ALLOWED_CHILDREN.list), ...withoutData },
  divider: leaf({}),
  if: holder({ expression: Type.String() }, heldBy('if')),
  image: {
    ...leaf({
      ref: mediaRef,
      refDark: optional(mediaRef),
      width: optional(length),
      height: optional(length),
      alt: optional(Type.String()),
    }),
    fragments: { caption: { holds: ALLOWED_CHILDREN.caption, isRequired: false } },
  },
  images: {
    ...holder(
      {
        align: optional(Type.Enum(['center', 'left', 'right'])),
        fullWidth: optional(Type.Boolean()),
        withFrame: optional(Type.Boolean()),
      },
      ALLOWED_CHILDREN.images,
    ),
    needsVoid: true,
  },
  file: leaf({ ref: REFERENCES.file }),
  drawing: leaf({ ref: optional(REFERENCES.file) }),
  embed: leaf({ ...dataOf('embed'), url: Type.String() }),
  'reusable-content': leaf({ ref: REFERENCES['reusable-content'] }),
  expandable: {
    ...leaf({ defaultExpanded: optional(Type.Boolean()) }), // its data came later
    fragments: {
      'expandable-title': { holds: ALLOWED_CHILDREN['expandable-title'], isRequired: true, most: 1 },
      'expandable-body': { holds: ALLOWED_CHILDREN['expandable-body'], isRequired: true },
    },
  },
  'content-ref': leaf({ ref: anyRef }),
  integration: leaf({
    integration: Type.String(),
    block: Type.String(),
    props: Type.Record(Type.String(), Type.Unknown()),
    action: optional(data({ action: Type.String() })),
    ...dataOf('integration'),
  }),
  'tabs-item': holder(dataOf('tab'), heldBy('tab')),
  tabs: { ...holder(dataOf('tabs'), heldBy('tabs')), ...withoutData },
  swagger: leaf({ path: Type.String(), method: Type.String(), ref: mediaRef, expanded, fullWidth }),
  'openapi-operation': leaf({
    path: Type.String(),
    method: Type.String(),
    ref: REFERENCES.openapi,
    headless,
  }),
  'openapi-schemas': leaf({
    schemas: ofSchemas.schemas,
    grouped: ofSchemas.grouped,
    ref: REFERENCES.openapi,
  }),
  'openapi-webhook': leaf({ name: Type.String(), method: Type.String(), ref: REFERENCES.openapi, headless }),
  'stepper-step': holder(dataOf('step'), heldBy('step')),
  stepper: { ...holder({}, heldBy('stepper')), ...withoutData },
  column: holder(dataOf('column'), heldBy('column')),
  columns: { ...holder(dataOf('columns'), heldBy('columns')), needsVoid: true },
  prompt: { ...holder(dataOf('prompt'), heldBy('prompt')), least: 1, most: 1 },
  updates: holder(dataOf('updates'), heldBy('updates')),
  update: holder(dataOf('update'), heldBy('update')),
} satisfies { [type: string]: NodeRule }

export const INLINES = {
  'inline-image': leaf({
    ref: mediaRef,
    refDark: optional(mediaRef),
    caption: optional(Type.String()),
    alt: optional(Type.String()),
    size: optional(Type.Enum(['original', 'line'])),
  }),
  link: holder({ ref: anyRef }, ALLOWED_CHILDREN.link),
  emoji: leaf({ code: Type.String() }),
  icon: leaf({ icon: Type.String(), color: optional(color) }),
  expression: leaf({ expression: Type.String() }),
  'inline-math': leaf({ formula: Type.String() }),
  annotation: {
    ...holder({}, ALLOWED_CHILDREN.annotation),
    ...withoutData,
    needsVoid: true,
    fragments: { 'annotation-body': { holds: ALLOWED_CHILDREN['annotation-body'], isRequired: true } },
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
