// The children that each node of a rich document may have. Kept apart from the schemas of rules.ts, because what turns
// Markdown into the model needs only this, and a thread that does so loads no library of schemas.

/** Blocks that nearly every container may hold. */
const ESSENTIALS = [
  ...(['paragraph', 'heading-1', 'heading-2', 'heading-3'] as const),
  ...(['list-ordered', 'list-unordered', 'list-tasks', 'divider'] as const),
] as const

const SECTION = [
  ...ESSENTIALS,
  ...(['content-ref', 'code', 'embed', 'file', 'images', 'drawing'] as const),
  ...(['hint', 'blockquote', 'math', 'integration'] as const),
] as const

/** Blocks at the top level of a document; `if`, `columns` and the last two are later additions. */
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
  // The last three are later additions.
  hint: [...ESSENTIALS, 'embed', 'integration', 'table'],
  blockquote: [...ESSENTIALS, 'blockquote'],
  'list-item': [...ESSENTIALS, 'code', 'hint', 'blockquote', 'math', 'table'],
  list: ['list-item'],
  if: TOP_LEVEL,
  images: ['image'],
  caption: ['paragraph'],
  cell: TOP_LEVEL,
  'expandable-title': ['paragraph'],
  'expandable-body': [
    ...ESSENTIALS,
    ...(['images', 'code', 'table', 'hint', 'blockquote', 'reusable-content'] as const),
  ],
  'tabs-item': SECTION,
  tabs: ['tabs-item'],
  'stepper-step': SECTION,
  stepper: ['stepper-step'],
  column: [...SECTION, 'table'],
  columns: ['column'],
  prompt: ['code'],
  updates: ['update'],
  update: TOP_LEVEL,
  link: ['text', 'inline-image'],
  annotation: ['text'],
  'annotation-body': [...ESSENTIALS, 'code'],
} as const
