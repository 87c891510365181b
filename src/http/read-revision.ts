// Reads of content say which revision they read, so that a later edit can name it as its base.
import type { Operation } from './operation.ts'

export const REVISION_HEADER = 'octavo-revision'

/** Which revision a read has read; undefined for operations that do not read one. */
export const revisionReadBy = ({ method, place }: Operation): ((at: unknown) => string) | undefined =>
  method === 'GET' ? place?.revisionOf : undefined
