// The mode of a file in a repository: a record says 100755, and is silent about 100644.
import type { TreeEntry } from '../../../platform/tree-source.ts'

export type Mode = { readonly isExecutable?: true }

const EXECUTABLE: Mode = { isExecutable: true }

/** As the entry of a tree has it; none if there is no entry. */
export const modeOfEntry = (entry: Pick<TreeEntry, 'kind'> | undefined): Mode =>
  entry?.kind === 'executable' ? EXECUTABLE : {}

/** As a record has it. */
export const modeOfRecord = ({ isExecutable }: Mode): Mode => (isExecutable === true ? EXECUTABLE : {})
