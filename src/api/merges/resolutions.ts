// Resolutions as callers write them: checked one by one, so that the message names the invalid one, and converted for
// the merge.
import { type FailureValues, invalid } from '../../base/errors.ts'
import type { Resolution as EngineResolution, Take, UnusedResolution } from '../../engines/content/merge.ts'
import {
  fileKey,
  type Key,
  pageKey,
  reusableKey,
  splitKey,
  variableKey,
} from '../../engines/content/records.ts'
import { isPageSlug, SLUG_RULE, slugify } from '../../engines/names/slugs.ts'
import { toLine } from '../../engines/names/titles.ts'
import { isStorable } from '../../platform/db/text.ts'
import { DESCRIPTION_CHARACTERS_MAX, PAGE_BYTES_MAX, TITLE_CHARACTERS_MAX } from '../content/bounds.ts'
import { readEmoji } from '../spaces/emoji.ts'
import type { Resolution } from './schema.ts'

/** Throws `invalid` for the first that makes no sense, or that settles the same conflict as an earlier one. */
export function readResolutions(resolutions: readonly Resolution[]): EngineResolution[] {
  const seen = new Map<string, number>()
  return resolutions.map((resolution, index) => {
    const where = `body.resolutions.${index}`
    const key = readKey(where, resolution)
    const { field, block } = resolution
    if (field !== undefined && block !== undefined)
      throw wrong(where, 'name a field or a block, not both: the conflict has one of them')
    const address = {
      key,
      ...(field === undefined ? {} : { field }),
      ...(block === undefined ? {} : { block }),
    }
    const first = seen.get(addressOf(address))
    if (first !== undefined) throw wrong(where, `body.resolutions.${first} settles the same conflict already`)
    seen.set(addressOf(address), index)
    return { ...address, take: readTake(where, address, resolution.take) }
  })
}

/** Throws `invalid` if a resolution settles nothing: its sender meant another conflict. */
export function refuseUnused(
  resolutions: readonly EngineResolution[],
  unused: readonly UnusedResolution[],
): void {
  const [first] = unused
  if (first === undefined) return
  const index = resolutions.findIndex(resolution => addressOf(resolution) === addressOf(first))
  const where = `body.resolutions.${index}`
  if (first.reason === 'unfit') throw wrong(`${where}.take`, unfit(first))
  throw wrong(
    where,
    'there is no such conflict. Send the request without resolutions, and copy the members of a listed conflict',
  )
}

const wrong = (where: string, why: string, values: FailureValues = {}) =>
  invalid('resolution_invalid', `${where}: ${why}.`).withValues({ ...values, resolution: indexIn(where) })

/** Each place begins with `body.resolutions.` and the number. */
const indexIn = (where: string): number => Number(where.split('.', 3)[2])

const addressOf = ({ key, field, block }: Omit<EngineResolution, 'take'>): string =>
  JSON.stringify([key, field, block])

function unfit({ take, block }: UnusedResolution): string {
  if (typeof take === 'string') return `"${take}" does not settle this conflict; take another side`
  return 'markdown' in take && block === undefined
    ? 'this conflict is not one of texts; take a side, or give a value'
    : 'this conflict cannot be settled by a value of that kind; take a side'
}

function readKey(where: string, { page, file, reusableContent, variable, key }: Resolution): Key {
  const keys = [
    page === undefined ? undefined : pageKey(page),
    file === undefined ? undefined : fileKey(file),
    reusableContent === undefined ? undefined : reusableKey(reusableContent),
    variable === undefined ? undefined : variableKey(variable),
    key,
  ].filter(one => one !== undefined)
  const [only] = keys
  if (only === undefined || keys.length > 1)
    throw wrong(where, 'name exactly one of page, file, reusableContent, variable and key')
  return only
}

function readTake(
  where: string,
  { key, field, block }: Omit<EngineResolution, 'take'>,
  take: Resolution['take'],
): Take {
  if (typeof take === 'string') return take
  if ('markdown' in take) return { markdown: readMarkdown(`${where}.take.markdown`, take.markdown) }
  if (block !== undefined) throw wrong(`${where}.take`, 'a block has no value; take a side, or give markdown')
  return { value: readValue(`${where}.take.value`, key, field ?? '', take.value) }
}

function readMarkdown(where: string, markdown: string): string {
  if (Buffer.byteLength(markdown) > PAGE_BYTES_MAX)
    throw wrong(where, `more than ${PAGE_BYTES_MAX} bytes, which is what a page may have`, {
      valueRule: 'text',
      max: PAGE_BYTES_MAX,
    })
  if (!isStorable(markdown)) throw wrong(where, 'it has half a character or U+0000, which no text can hold')
  return markdown
}

type Value = string | number | boolean
type Problem = { readonly why: string; readonly values: FailureValues }
type Check = (value: Value) => Problem | undefined

const line =
  (max: number): Check =>
  value =>
    typeof value === 'string' && toLine(value, max) === value
      ? undefined
      : { why: `must be one line of 1 to ${max} characters`, values: { valueRule: 'line', max } }

const FILE_NAME_CHARACTERS_MAX = 256
const fileName = line(FILE_NAME_CHARACTERS_MAX)
const checkFileName: Check = value =>
  /[/\\]/.test(String(value))
    ? { why: 'must be a name alone, without a folder', values: { valueRule: 'file_name' } }
    : fileName(value)

const checkSlug: Check = value => {
  const example = slugify(String(value))
  const values = { valueRule: 'slug', example } as const
  if (typeof value !== 'string') return { why: 'must be a slug', values }
  return isPageSlug(value) && value.normalize('NFC') === value
    ? undefined
    : { why: `must be a slug, like "${example}": ${SLUG_RULE}`, values }
}

const checkBoolean: Check = value =>
  typeof value === 'boolean' ? undefined : { why: 'must be true or false', values: { valueRule: 'boolean' } }
const checkOneOf =
  (...allowed: readonly string[]): Check =>
  value =>
    allowed.includes(String(value))
      ? undefined
      : { why: `must be one of ${allowed.join(', ')}`, values: { valueRule: 'one_of' } }

const VARIABLE_CHARACTERS_MAX = 256
const checkVariable: Check = value => {
  if (typeof value === 'boolean' || Number.isFinite(value)) return undefined
  const max = VARIABLE_CHARACTERS_MAX
  if (line(max)(value) === undefined) return undefined
  const why = `must be one line of 1 to ${max} characters, a number or a boolean`
  return { why, values: { valueRule: 'variable', max } }
}

const checkDescription: Check = value => {
  const max = DESCRIPTION_CHARACTERS_MAX
  return typeof value === 'string' && value !== '' && value.length <= max && isStorable(value)
    ? undefined
    : { why: `must be 1 to ${max} characters`, values: { valueRule: 'description', max } }
}

const SHORT_CHARACTERS_MAX = 50

/** Fields that can be given a value; for all others, one side has to be taken. */
const CHECKS: Readonly<Record<string, Check>> = {
  'page title': line(TITLE_CHARACTERS_MAX),
  'page slug': checkSlug,
  'page description': checkDescription,
  'page emoji': line(SHORT_CHARACTERS_MAX),
  'page icon': line(SHORT_CHARACTERS_MAX),
  'page hidden': checkBoolean,
  'page noIndex': checkBoolean,
  'page noRobotsIndex': checkBoolean,
  'page layout.width': checkOneOf('default', 'wide'),
  'page layout.coverSize': checkOneOf('hero', 'full'),
  'reusable title': line(TITLE_CHARACTERS_MAX),
  'file name': checkFileName,
  'variable value': checkVariable,
}

function readValue(where: string, key: Key, field: string, value: Value): Value {
  const check = checkOf(key, field)
  if (check === undefined) throw wrong(where, 'no value can be given for this; take ours, theirs or base')
  const problem = check(value)
  if (problem !== undefined) throw wrong(where, problem.why, problem.values)
  return field === 'emoji' ? readEmoji(String(value)) : value
}

function checkOf(key: Key, field: string): Check | undefined {
  const [kind] = splitKey(key)
  if (kind === 'page' && field.startsWith('variables.')) return checkVariable
  const name = `${kind} ${field}`
  if (Object.hasOwn(CHECKS, name)) return CHECKS[name]
  return kind === 'page' && field.startsWith('layout.') ? checkBoolean : undefined
}
