// Edits of a page's text that parse it first.
import { undoBlocks } from '../engines/content/block-undo.ts'
import { retitle as retitleText, rewriteReferences } from '../engines/markdown/edit/edit.ts'
import { blocks } from '../engines/markdown/page/page.ts'
import { relink } from './relink.ts'
import type { Task } from './task.ts'

/** `rewritten`: new destinations by old ones; null turns links into plain words. */
export const rewriteLinks: Task<
  { readonly markdown: string; readonly rewritten: ReadonlyMap<string, string | null> },
  string
> = ({ markdown, rewritten }) =>
  rewriteReferences(markdown, ({ destination, kind }) =>
    kind === 'openapi-spec' || kind === 'definition' ? undefined : rewritten.get(destination),
  )

type RetitleInput = { readonly markdown: string; readonly before: string; readonly after: string }

export const retitle: Task<RetitleInput, string> = ({ markdown, before, after }) =>
  retitleText(markdown, before, after)

type RelinkInput = {
  readonly markdown: string
  /** The path of the text. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Links to what had the path `from` lead to the path `to`. */
export const relinkText: Task<RelinkInput, string> = ({ markdown, file, from, to }) =>
  relink(markdown, file, new Map([[from, to]]))

type UndoInput = { readonly before: string; readonly after: string; readonly keys: readonly string[] }

/** Undoes the changes of these blocks. */
export const undo: Task<UndoInput, ReturnType<typeof undoBlocks>> = ({ before, after, keys }) =>
  undoBlocks(before, after, keys, blocks)
