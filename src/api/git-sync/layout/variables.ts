// Variables of a space: `.gitbook/vars.yaml`, a map of names to scalars.
import { type SaidProblem, withLine } from '../../../base/problems.ts'
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
  const complain = (problem: SaidProblem) => problems.add({ ...problem, file: VARIABLES_FILE })
  const refuse = (reason: string, message: string, max?: number) =>
    complain({
      code: 'variables_invalid',
      message,
      values: { reason, ...(max === undefined ? {} : { max }) },
    })
  if (text === undefined) {
    refuse('text', `Variables are UTF-8 text of at most ${VARIABLES_BYTES_MAX} bytes.`, VARIABLES_BYTES_MAX)
    return records
  }
  const read = await source.compute.run('yamlValue', source.spaceId, {
    text,
    charactersMax: VARIABLES_BYTES_MAX,
  })
  if (read.kind === 'beyond') {
    refuse('too_costly', 'The variables take too long to be read.')
    return records
  }
  const { value, problems: found } = read.value
  for (const problem of found) complain(withLine(problem))
  if (value === null || value === undefined) return records
  if (typeof value !== 'object' || Array.isArray(value)) {
    refuse('lines', 'Lines such as `name: value` are expected.')
    return records
  }
  for (const [name, given] of Object.entries(value)) {
    const kept = toName(name)
    const skip = (reason: string, why: string, max?: number) =>
      complain({
        code: 'variable_skipped',
        message: `The variable ${kept} was left out: ${why}.`,
        values: { name: kept, reason, ...(max === undefined ? {} : { max }) },
      })
    const variable = toVariable(given)
    if (name === '' || name !== kept) skip('name', 'its name is empty, too long or has control characters')
    else if (variable === undefined) skip('value', 'it is not a text, number or boolean, or is too long')
    else if (records.size >= VARIABLES_MAX)
      skip('too_many', `an import takes at most ${VARIABLES_MAX}`, VARIABLES_MAX)
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
