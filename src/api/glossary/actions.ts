// Changing a glossary: a batch of operations, all or none.
import { conflict, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { LANGUAGES } from '../spaces/schema.ts'
import { countEntries, findKnownIds, moveVersion, removeEntries, upsertEntries } from './rows.ts'
import {
  ENTRIES_MAX,
  type GlossaryBatchOperation,
  type GlossaryTranslations,
  type UpdateGlossary,
} from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'glossary.changed': { inserted: number; updated: number; deleted: number }
  }
}

/**
 * Carries out the operations in order. Throws `invalid` (glossary_language_unknown, or glossary_entry_unknown for an
 * update of an unknown entry, or of one deleted earlier in the batch) and `conflict` (glossary_full) beyond
 * ENTRIES_MAX; nothing is written then.
 */
export async function changeGlossary(
  context: SignedInContext,
  organizationId: string,
  { operations }: UpdateGlossary,
): Promise<void> {
  if (operations.length === 0) return
  for (const [at, operation] of operations.entries())
    if (operation.type !== 'delete') checkLanguages(at, operation.translations)
  await context.transaction(async trx => {
    await moveVersion(trx, organizationId)
    const ids = operations.flatMap(operation => (operation.type === 'insert' ? [] : [operation.id]))
    const known = ids.length === 0 ? new Set<string>() : await findKnownIds(trx, organizationId, ids)
    const { inserted, updated, deleted } = toOutcome(operations, known)
    if (deleted.length > 0) await removeEntries(trx, organizationId, deleted)
    const written = [...inserted, ...updated]
    if (written.length > 0) await upsertEntries(trx, organizationId, written)
    if (inserted.length > 0 && (await countEntries(trx, organizationId)) > ENTRIES_MAX) throw full()
    await context.events.append(trx, {
      type: 'glossary.changed',
      organizationId,
      actorId: context.principal.user.id,
      payload: { inserted: inserted.length, updated: updated.length, deleted: deleted.length },
    })
  })
}

type Entry = { readonly id: string; readonly translations: GlossaryTranslations }

/** The net effect of the operations. `known`: ids of existing entries. */
function toOutcome(operations: readonly GlossaryBatchOperation[], known: ReadonlySet<string>) {
  const inserted: Entry[] = []
  const changed = new Map<string, GlossaryTranslations | null>()
  for (const [at, operation] of operations.entries()) {
    if (operation.type === 'insert') {
      inserted.push({ id: newId(), translations: operation.translations })
      continue
    }
    const { id } = operation
    if (operation.type === 'delete') {
      if (known.has(id)) changed.set(id, null)
      continue
    }
    if (!known.has(id) || changed.get(id) === null) throw unknown(at)
    changed.set(id, operation.translations)
  }
  const updated: Entry[] = []
  const deleted: string[] = []
  for (const [id, translations] of changed) {
    if (translations === null) deleted.push(id)
    else updated.push({ id, translations })
  }
  return { inserted, updated, deleted }
}

const KNOWN_LANGUAGES: ReadonlySet<string> = new Set(LANGUAGES)

function checkLanguages(at: number, translations: GlossaryTranslations): void {
  const language = Object.keys(translations).find(key => !KNOWN_LANGUAGES.has(key))
  if (language === undefined) return
  throw invalid(
    'glossary_language_unknown',
    `body.operations.${at}.translations.${language}: this is no language of a glossary. Nothing was changed; take one of ${LANGUAGES.join(', ')}.`,
  )
}

const unknown = (at: number) =>
  invalid(
    'glossary_entry_unknown',
    `body.operations.${at}.id: there is no such entry. Nothing was changed; leave the operation out, or insert the entry.`,
  )

const full = () =>
  conflict(
    'glossary_full',
    `A glossary has at most ${ENTRIES_MAX} entries. Nothing was changed; delete entries first.`,
  )
