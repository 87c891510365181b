// Every block that is written as a tag. To add one: CONTRIBUTING.md.
import { type BlockSchema, readAttributes, type Written } from '../schema/schema.ts'
import { code } from './code/schema.ts'
import { column, columns } from './columns/schema.ts'
import { contentRef } from './content-ref/schema.ts'
import { embed } from './embed/schema.ts'
import { endpoint } from './endpoint/schema.ts'
import { file } from './file/schema.ts'
import { hint } from './hint/schema.ts'
import { condition } from './if/schema.ts'
import { include } from './include/schema.ts'
import { integration } from './integration/schema.ts'
import { operation } from './openapi-operation/schema.ts'
import { schemas } from './openapi-schemas/schema.ts'
import { webhook } from './openapi-webhook/schema.ts'
import { prompt } from './prompt/schema.ts'
import { step, stepper } from './stepper/schema.ts'
import { tab, tabs } from './tabs/schema.ts'
import { update, updates } from './updates/schema.ts'

export const SCHEMAS = {
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
} as const satisfies { readonly [name: string]: BlockSchema }

export type BlockName = keyof typeof SCHEMAS

const BLOCK_NAMES = Object.keys(SCHEMAS) as BlockName[]

export const schemaOf = (name: BlockName): BlockSchema => SCHEMAS[name]

const BY_TAG: ReadonlyMap<string, BlockName> = new Map(
  BLOCK_NAMES.flatMap(name => schemaOf(name).tags.map(tag => [tag, name] as const)),
)
const FAMILIES: readonly (readonly [prefix: string, BlockName])[] = BLOCK_NAMES.flatMap(name =>
  (schemaOf(name).families ?? []).map(family => [`${family}-`, name] as const),
)
const INTEGRATION = /^@[\w.-]+\/[\w.-]+$/

/** The block that a tag of this name is; undefined if GitBook has none. */
export const blockNamed = (tag: string): BlockName | undefined =>
  INTEGRATION.test(tag)
    ? 'integration'
    : (BY_TAG.get(tag) ?? FAMILIES.find(([prefix]) => tag.startsWith(prefix))?.[1])

type WrittenTag = { readonly name: string; readonly attributes: Readonly<Record<string, Written>> }

/** The block that a tag is. An endpoint that names no description elsewhere says everything itself. */
export function blockOfTag({ name, attributes }: WrittenTag): BlockName | undefined {
  if (name !== 'swagger') return blockNamed(name)
  const { spec, src } = readAttributes(attributes, operation.attributes)
  return spec === undefined && src === undefined ? 'endpoint' : 'openapi-operation'
}
