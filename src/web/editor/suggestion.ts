// What is offered while one types, as values.
import type { Text } from '@codemirror/state'

/** Where somebody types: the text, and the caret in it. */
export type Typing = { readonly doc: Text; readonly caret: number }

export type Suggestion = {
  readonly label: string
  readonly detail?: string
  /** As it is inserted; or in the notation of `Insert` of the blocks; or files that are chosen on this device. */
  readonly insert:
    | { readonly text: string }
    | { readonly snippet: string }
    | { readonly files: 'pictures' | 'any' }
}

/** They replace what is between `from` and `to`. */
export type Suggested = {
  readonly from: number
  readonly to: number
  readonly suggestions: readonly Suggestion[]
}

/** Null if nothing is to be offered there. */
export type Suggest = (typing: Typing) => Promise<Suggested | null>

/** What is before the caret in its line, and where it begins. */
export function lineBefore({ doc, caret }: Typing): { readonly start: number; readonly text: string } {
  const { from } = doc.lineAt(caret)
  const start = Math.max(from, caret - CHARACTERS_MAX)
  return { start, text: doc.sliceString(start, caret) }
}

const CHARACTERS_MAX = 200
