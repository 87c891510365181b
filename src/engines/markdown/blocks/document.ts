// How each block becomes part of a rich document; document/ asks for one of each name.
import { code } from './code/document.ts'
import { column, columns } from './columns/document.ts'
import { contentRef } from './content-ref/document.ts'
import { embed } from './embed/document.ts'
import { endpoint } from './endpoint/document.ts'
import { file } from './file/document.ts'
import { hint } from './hint/document.ts'
import { condition } from './if/document.ts'
import { include } from './include/document.ts'
import { integration } from './integration/document.ts'
import { operation } from './openapi-operation/document.ts'
import { schemas } from './openapi-schemas/document.ts'
import { webhook } from './openapi-webhook/document.ts'
import { prompt } from './prompt/document.ts'
import { step, stepper } from './stepper/document.ts'
import { tab, tabs } from './tabs/document.ts'
import { update, updates } from './updates/document.ts'

export { tableBlocks } from './table/document.ts'

export const DOCUMENT = {
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
export { expandableOf } from './expandable/document.ts'
export { figuresOf, lineImagesOf } from './images/document.ts'
