// What somebody who writes a page can insert, in the order of lists. Data alone: browsers load it.
import { code } from './code/insert.ts'
import { column, columns } from './columns/insert.ts'
import { contentRef } from './content-ref/insert.ts'
import { embed } from './embed/insert.ts'
import { expandable } from './expandable/insert.ts'
import { file } from './file/insert.ts'
import { hint } from './hint/insert.ts'
import { condition } from './if/insert.ts'
import { figure, image } from './images/insert.ts'
import { include } from './include/insert.ts'
import { operation } from './openapi-operation/insert.ts'
import { schemas } from './openapi-schemas/insert.ts'
import { webhook } from './openapi-webhook/insert.ts'
import { prompt } from './prompt/insert.ts'
import type { BlockName } from './schemas.ts'
import { step, stepper } from './stepper/insert.ts'
import { cards, table } from './table/insert.ts'
import { tab, tabs } from './tabs/insert.ts'
import { update, updates } from './updates/insert.ts'

/**
 * Markdown in which `#{}` is a place where one types, `#{words}` words that are typed over, and `#{2:words}` the second
 * place that is reached.
 */
type Insert = string

/** Of Markdown and HTML, which have no tags. */
const OF_MARKDOWN = {
  heading2: '## #{}',
  heading3: '### #{}',
  heading4: '#### #{}',
  list: '* #{}',
  numbers: '1. #{}',
  tasks: '- [ ] #{}',
  quote: '> #{}',
  table,
  cards,
  image,
  figure,
  expandable,
  fence: '```#{2}\n#{1}\n```',
  diagram: '```mermaid\nflowchart LR\n  #{a --> b}\n```',
  formula: '$$\n#{}\n$$',
  rule: '---\n#{}',
} as const satisfies { readonly [name: string]: Insert }

/** Of every tag; null says that nobody writes it by hand. */
const OF_TAGS = {
  hint,
  tabs,
  stepper,
  columns,
  code,
  'content-ref': contentRef,
  file,
  embed,
  include,
  prompt,
  updates,
  'openapi-operation': operation,
  'openapi-webhook': webhook,
  'openapi-schemas': schemas,
  if: condition,
  tab,
  step,
  column,
  update,
  // The older notation of `openapi-operation`.
  endpoint: null,
  // Its name and properties are those of an integration.
  integration: null,
} as const satisfies { readonly [name in BlockName]: Insert | null }

type Inserted = { [name in BlockName]: (typeof OF_TAGS)[name] extends null ? never : name }[BlockName]
export type InsertName = keyof typeof OF_MARKDOWN | Inserted

export const INSERTS: readonly { readonly name: InsertName; readonly insert: Insert }[] = Object.entries({
  ...OF_MARKDOWN,
  ...OF_TAGS,
}).flatMap(([name, insert]) =>
  // The names are those of the two tables.
  insert === null ? [] : [{ name: name as InsertName, insert }],
)
