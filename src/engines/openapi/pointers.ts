// JSON pointers (RFC 6901), in their URI fragment spelling: `#/components/schemas/Pet`.
import { ownMember } from '../../base/objects.ts'
import { percentDecode } from '../../base/percent-decode.ts'

/** The names of the members that a pointer passes, in their order. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .slice(2)
    .split('/')
    .map(step => percentDecode(step).replaceAll('~1', '/').replaceAll('~0', '~'))

/** What is there; undefined for nothing. */
export const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(ownMember, root)

/** A name as a step of a pointer. */
export const toStep = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')
