// How each block of a rich document is written; render/ asks for one of each type.
import { code } from './code/markdown.ts'
import { columns } from './columns/markdown.ts'
import { contentRef } from './content-ref/markdown.ts'
import { embed } from './embed/markdown.ts'
import { expandable } from './expandable/markdown.ts'
import { file } from './file/markdown.ts'
import { hint } from './hint/markdown.ts'
import { condition } from './if/markdown.ts'
import { images } from './images/markdown.ts'
import { include } from './include/markdown.ts'
import { integration } from './integration/markdown.ts'
import { operation } from './openapi-operation/markdown.ts'
import { schemas } from './openapi-schemas/markdown.ts'
import { webhook } from './openapi-webhook/markdown.ts'
import { prompt } from './prompt/markdown.ts'
import { stepper } from './stepper/markdown.ts'
import { table } from './table/markdown.ts'
import { tabs } from './tabs/markdown.ts'
import { updates } from './updates/markdown.ts'

export { gridOf, wordsOf } from './table/markdown-grid.ts'

export const MARKDOWN = {
  ...hint,
  ...tabs,
  ...stepper,
  ...columns,
  ...updates,
  ...code,
  ...expandable,
  ...images,
  ...table,
  ...condition,
  ...prompt,
  ...embed,
  ...file,
  ...contentRef,
  ...include,
  ...operation,
  ...webhook,
  ...schemas,
  ...integration,
}
