// Sets, changes and deletes variables of the content by name.
import { variableKey } from '../../../engines/content/records.ts'
import { isStorable } from '../../../platform/db/text.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'
import type { Batch } from './state.ts'

export async function updateVariables(
  { draft }: Batch,
  index: number,
  { variables }: ChangeOf<'update_variables'>,
): Promise<void> {
  const entries = Object.entries(variables)
  await draft.load(entries.map(([name]) => variableKey(name)))
  for (const [name, value] of entries) {
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
      throw refuse(
        index,
        `variables.${name}`,
        'a name or value has a character that cannot be kept. Leave it out.',
      )
    draft.set(variableKey(name), value)
  }
}
