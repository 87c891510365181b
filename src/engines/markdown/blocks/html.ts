// How each block is drawn as HTML; html/ asks for one of each name.
import { code } from './code/html.ts'
import { column, columns } from './columns/html.ts'
import { contentRef } from './content-ref/html.ts'
import { embed } from './embed/html.ts'
import { endpoint } from './endpoint/html.ts'
import { file } from './file/html.ts'
import { hint } from './hint/html.ts'
import { condition } from './if/html.ts'
import { include } from './include/html.ts'
import { integration } from './integration/html.ts'
import { operation } from './openapi-operation/html.ts'
import { schemas } from './openapi-schemas/html.ts'
import { webhook } from './openapi-webhook/html.ts'
import { prompt } from './prompt/html.ts'
import { step, stepper } from './stepper/html.ts'
import { tab, tabs } from './tabs/html.ts'
import { update, updates } from './updates/html.ts'

export { drawTable } from './table/html.ts'

export const HTML = {
  hint,
  tabs,
  tab,
  stepper,
  step,
  columns,
  column,
  updates,
  update,
  code,
  if: condition,
  prompt,
  embed,
  file,
  'content-ref': contentRef,
  include,
  'openapi-operation': operation,
  'openapi-webhook': webhook,
  'openapi-schemas': schemas,
  endpoint,
  integration,
}

/** Blocks that are not written as tags. */
export { drawExpandable } from './expandable/html.ts'
export { drawFigures, drawLineImages } from './images/html.ts'
