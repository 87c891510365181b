// What gets another path: the texts that lead to it lead there.
import {
  type PlacedKey,
  pageKey,
  reusableKey,
  splitKey,
  type TextKey,
} from '../../../engines/content/records.ts'
import type { Batch } from './state.ts'

/** Texts that one change of a path writes: each is parsed. */
export const LEADING_TEXTS_MAX = 1000

/** Texts that this request wrote so far are among them, with what they lead to by now; undefined if there are too many. */
export async function findLeading(
  { base, draft, texts }: Batch,
  key: PlacedKey,
): Promise<ReadonlySet<TextKey> | undefined> {
  const [, id] = splitKey(key)
  await draft.load([key])
  const file = draft.before(key)?.file
  const leading = file === undefined ? [] : await base.findLeading({ id, file }, LEADING_TEXTS_MAX + 1)
  if (leading.length > LEADING_TEXTS_MAX) return undefined
  const keys = leading.flatMap(text => [pageKey(text), reusableKey(text)] as const)
  await draft.load(keys)
  return new Set([...keys.filter(one => draft.get(one) !== null), ...texts.keys()])
}

export function relink(
  batch: Batch,
  index: number,
  leading: ReadonlySet<TextKey>,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  for (const text of leading) batch.queueStep(text, { kind: 'relink', index, from, to })
}
