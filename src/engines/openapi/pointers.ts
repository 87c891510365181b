// JSON pointers (RFC 6901), as URI fragments: `#/components/schemas/Pet`.
import { ownMember } from '../../base/objects.ts'
import { percentDecode } from '../../base/percent-decode.ts'

/** The names of the members on a pointer's path, in order. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .slice(2)
    .split('/')
    .map(step => percentDecode(step).replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value at a path; undefined if there is none. */
export const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(ownMember, root)

/** A name as a step of a pointer. */
export const toStep = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')
