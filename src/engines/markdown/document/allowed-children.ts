// The children that each node of a rich document may have. Kept apart from the schemas of rules.ts, because what turns
// Markdown into the model needs only this, and a thread that does so loads no library of schemas.
import { keysOf } from '../../../base/objects.ts'
import { type BlockName, SCHEMAS, schemaOf } from '../blocks/schemas.ts'
import type { BlockSchema, Place } from '../schema/schema.ts'

/** Blocks that nearly every container may hold. */
const ESSENTIALS: readonly string[] = [
  ...['paragraph', 'heading-1', 'heading-2', 'heading-3'],
  ...['list-ordered', 'list-unordered', 'list-tasks', 'divider'],
]

/** What each place holds besides blocks that are written as tags, which name their places themselves. */
const WITHOUT_TAGS: Readonly<Record<Place, readonly string[]>> = {
  page: [...ESSENTIALS, 'blockquote', 'images', 'drawing', 'math', 'expandable', 'table'],
  section: [...ESSENTIALS, 'images', 'drawing', 'blockquote', 'math'],
  column: [...ESSENTIALS, 'table'],
  hint: [...ESSENTIALS, 'table'],
  quotation: [...ESSENTIALS, 'blockquote'],
  'list-item': [...ESSENTIALS, 'blockquote', 'math', 'table'],
  expandable: [...ESSENTIALS, 'images', 'table', 'blockquote'],
  footnote: ESSENTIALS,
  prompt: [],
}

const BLOCK_SCHEMAS: readonly BlockSchema[] = Object.values(SCHEMAS)

const inPlace = (place: Place): readonly string[] => [
  ...WITHOUT_TAGS[place],
  ...BLOCK_SCHEMAS.filter(({ standsIn }) => standsIn.includes(place)).flatMap(({ types }) => types),
]

/** What a block that is written as a tag holds. */
export const heldBy = (name: BlockName): readonly string[] => HELD.get(name) ?? []

const HELD: ReadonlyMap<BlockName, readonly string[]> = new Map(
  keysOf(SCHEMAS).map(name => {
    const { item, holds = [] } = schemaOf(name)
    const items = BLOCK_SCHEMAS.filter(({ tags }) => item !== undefined && tags.includes(item))
    return [name, [...new Set([...items.flatMap(({ types }) => types), ...holds.flatMap(inPlace)])]]
  }),
)

/** Blocks at the top level of a document. */
export const TOP_LEVEL = inPlace('page')

/** What a paragraph or heading holds: inlines, and the text between them. */
const INLINE = [
  ...(['inline-image', 'link', 'emoji', 'icon', 'expression', 'inline-math'] as const),
  ...(['annotation', 'mention', 'button', 'text'] as const),
] as const

/** By the name of a node, or of the slot that one of its fragments fills. */
export const ALLOWED_CHILDREN = {
  paragraph: INLINE,
  heading: INLINE,
  'code-line': ['text', 'annotation', 'expression'],
  code: ['code-line'],
  blockquote: inPlace('quotation'),
  'list-item': inPlace('list-item'),
  list: ['list-item'],
  images: ['image'],
  caption: ['paragraph'],
  cell: TOP_LEVEL,
  'expandable-title': ['paragraph'],
  'expandable-body': inPlace('expandable'),
  link: ['text', 'inline-image'],
  annotation: ['text'],
  'annotation-body': inPlace('footnote'),
} as const
