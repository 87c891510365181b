// Variables of a space: `.gitbook/vars.yaml`, a map of names to scalars.
import { type Key, type VariableRecord, variableKey } from '../../../engines/content/records.ts'
import { replaceUnstorable } from '../../../platform/db/text.ts'
import { VARIABLE_NAME_CHARACTERS_MAX, VARIABLES_MAX } from '../../content/bounds.ts'
import { VARIABLES_BYTES_MAX } from './bounds.ts'
import { type Inventory, VARIABLES_FILE } from './inventory.ts'
import type { Problems } from './problems.ts'
import { decodeStrictly, readFile } from './reader.ts'
import type { Source } from './source.ts'

const VALUE_CHARACTERS_MAX = 10_000

/** Unreadable variables are skipped and reported as problems. */
export async function planVariables(
  source: Source,
  inventory: Inventory,
  problems: Problems,
): Promise<Map<Key, VariableRecord>> {
  const records = new Map<Key, VariableRecord>()
  if (!inventory.byPath.has(VARIABLES_FILE)) return records
  const bytes = await readFile(source, inventory, VARIABLES_FILE, VARIABLES_BYTES_MAX)
  const text = bytes === undefined ? undefined : decodeStrictly(bytes)
  const complain = (code: string, message: string) => problems.add(code, message, VARIABLES_FILE)
  if (text === undefined) {
    complain('variables_invalid', `Variables are UTF-8 text of at most ${VARIABLES_BYTES_MAX} bytes.`)
    return records
  }
  const read = await source.compute.run('yamlValue', source.spaceId, {
    text,
    charactersMax: VARIABLES_BYTES_MAX,
  })
  if (read.kind === 'beyond') {
    complain('variables_invalid', 'The variables take too long to be read.')
    return records
  }
  const { value, problems: found } = read.value
  for (const { code, message } of found) complain(code, message)
  if (value === null || value === undefined) return records
  if (typeof value !== 'object' || Array.isArray(value)) {
    complain('variables_invalid', 'Lines such as `name: value` are expected.')
    return records
  }
  for (const [name, given] of Object.entries(value)) {
    const kept = toName(name)
    const skip = (why: string) => complain('variable_skipped', `The variable ${kept} was left out: ${why}.`)
    const variable = toVariable(given)
    if (name === '' || name !== kept) skip('its name is empty, too long or has control characters')
    else if (variable === undefined) skip('it is not a text, number or boolean, or is too long')
    else if (records.size >= VARIABLES_MAX) skip(`an import takes at most ${VARIABLES_MAX}`)
    else records.set(variableKey(name), variable)
  }
  return records
}

function toVariable(value: unknown): VariableRecord | undefined {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  if (typeof value !== 'string' || value.length > VALUE_CHARACTERS_MAX) return undefined
  return replaceUnstorable(value)
}

const toName = (name: string): string =>
  name
    .slice(0, VARIABLE_NAME_CHARACTERS_MAX)
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]/g, '\ufffd')
