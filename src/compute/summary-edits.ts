// Rewrites SUMMARY.md.
import {
  editSummary,
  type ListedEntry,
  type WrittenEntry,
  writeSummary,
} from '../engines/markdown/edit/edit.ts'
import type { Task } from './task.ts'

type Input = {
  /** The current text; '' if there is none. */
  readonly text: string
  readonly written: readonly WrittenEntry[]
  readonly wanted: readonly ListedEntry[]
}

export const summaryEdits: Task<Input, string> = ({ text, written, wanted }) =>
  text === '' ? writeSummary(wanted) : editSummary(text, written, wanted)
