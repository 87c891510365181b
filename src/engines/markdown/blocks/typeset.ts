// How each block is written for the typesetter; typeset/ asks for one of each name that html/drawn.ts has.
import { code } from './code/typeset.ts'
import { columns } from './columns/typeset.ts'
import { card } from './content-ref/typeset.ts'
import { hint } from './hint/typeset.ts'
import { condition } from './if/typeset.ts'
import { figures } from './images/typeset.ts'
import { operation } from './openapi-operation/typeset.ts'
import { prompt } from './prompt/typeset.ts'
import { stepper } from './stepper/typeset.ts'
import { cards } from './table/typeset.ts'
import { tabs } from './tabs/typeset.ts'
import { update } from './updates/typeset.ts'

export const TYPESET = {
  hint,
  tabs,
  stepper,
  columns,
  update,
  code,
  if: condition,
  prompt,
  card,
  operation,
  cards,
  figures,
}
