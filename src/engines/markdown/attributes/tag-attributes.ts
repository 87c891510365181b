// The attributes of GitBook's tags: by the block of the rich document that a tag becomes, and those that only say what
// a block points at or describes.
import {
  CODE_OVERFLOWS,
  DATE_FORMATS,
  HINT_STYLES,
  PROMPT_EXPANSIONS,
  VERTICAL_ALIGNMENTS,
} from './allowed-values.ts'
import {
  answer,
  count,
  flag,
  length,
  named,
  names,
  oneOf,
  optional,
  required,
  tags,
  withDefault,
  word,
} from './kinds.ts'

/** Each block with the part of its data that its tag carries. */
export const TAG_ATTRIBUTES = {
  hint: { style: withDefault(named(oneOf(HINT_STYLES), 'style', 'type'), 'info'), icon: optional },
  tabs: { fullWidth: flag },
  'tabs-item': { title: optional, icon: optional, slug: optional },
  stepper: {},
  'stepper-step': { icon: optional },
  columns: { fullWidth: flag },
  column: {
    width: length,
    verticalAlignment: named(oneOf(VERTICAL_ALIGNMENTS), 'valign', 'verticalAlignment'),
  },
  code: {
    title: optional,
    overflow: oneOf(CODE_OVERFLOWS),
    lineNumbers: flag,
    fullWidth: flag,
    expandable: flag,
    collapsedLineCount: count,
  },
  updates: { format: withDefault(oneOf(DATE_FORMATS), 'full') },
  update: { date: withDefault(required, ''), tags },
  prompt: {
    description: withDefault(required, ''),
    icon: optional,
    openInAIProviders: tags,
    defaultExpanded: oneOf(PROMPT_EXPANSIONS),
  },
  embed: { url: required, fullWidth: flag },
  integration: { url: optional, fullWidth: flag },
  swagger: { path: required, method: required, expanded: answer, fullWidth: flag },
  'openapi-operation': { path: required, method: required, headless: flag },
  'openapi-schemas': { schemas: { ...names, names: ['schemas', 'schema'] }, grouped: answer },
  'openapi-webhook': { name: required, method: required, headless: flag },
} as const

/** How a table is shown. */
export const TABLE_ATTRIBUTES = {
  view: oneOf(['cards']),
  cardSize: withDefault(oneOf(['medium', 'large']), 'medium'),
} as const

/** What the block of a tag leads to. */
export const TARGET_ATTRIBUTES = {
  file: { src: word },
  'content-ref': { url: named(word, 'url', 'page') },
  /** The API description that a part is in: by its name, or as a file. */
  description: { spec: word, src: word },
} as const

/** An endpoint that is written out in the page, and its parts. */
export const ENDPOINT_ATTRIBUTES = {
  endpoint: { method: optional, path: optional, baseUrl: optional, summary: optional },
  parameter: { in: optional, name: optional, type: optional, required: flag },
  response: { status: optional, description: optional },
  /** Whatever says what a part is, in the order in which it is said. */
  words: {
    name: optional,
    status: optional,
    type: optional,
    summary: optional,
    title: optional,
    description: optional,
  },
} as const

/** What heads the content of a tag that stands outside of its parent. */
export const STRAY_ATTRIBUTES = { title: optional, date: optional } as const
