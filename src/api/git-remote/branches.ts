// The names of branches: `main` is the space, and `change-requests/12` a change request; one opened by a push keeps the
// pushed name while it is a draft or open.

export const MAIN = 'main'
const NUMBERED = 'change-requests'
const NAME_BYTES_MAX = 200

/** What git refuses anywhere in a name (git-check-ref-format), and halves of surrogate pairs. */
const REFUSED = /[\u0000-\u0020\u007f~^:?*[\\\ufffd]|\.\.|@\{|\/\//

/** Whether a change request may have the name. */
export function isBranchName(name: string): boolean {
  if (REFUSED.test(name) || Buffer.byteLength(name) > NAME_BYTES_MAX || name === 'HEAD') return false
  const parts = name.split('/')
  if (parts[0] === NUMBERED) return false
  return parts.every(part => !/^(?:[.-]|@?$)/.test(part) && !part.endsWith('.lock') && !part.endsWith('.'))
}

export const isNumbered = (name: string): boolean => name.startsWith(`${NUMBERED}/`)

/**
 * Whether a branch can have the name besides others: no branch is a folder of another.
 *
 * @param taken existing names
 */
export function isFree(name: string, taken: Iterable<string>): boolean {
  for (const other of taken)
    if (name === other || name.startsWith(`${other}/`) || other.startsWith(`${name}/`)) return false
  return true
}

export type Nameable = { readonly number: number; readonly wanted: string | null }

/** The branch of each change request. If two want the same name, the newest gets it. */
export function nameBranches(requests: readonly Nameable[]): Map<number, string> {
  const taken = new Set([MAIN, NUMBERED])
  const folders = new Set<string>()
  const names = new Map<number, string>()
  for (const { number, wanted } of requests.toSorted((one, other) => other.number - one.number)) {
    const above = wanted === null ? [] : foldersAbove(wanted)
    const isTaken =
      wanted === null || taken.has(wanted) || folders.has(wanted) || above.some(folder => taken.has(folder))
    names.set(number, isTaken ? `${NUMBERED}/${number}` : wanted)
    if (isTaken) continue
    taken.add(wanted)
    for (const folder of above) folders.add(folder)
  }
  return names
}

/** `a` and `a/b` of `a/b/c`. */
function foldersAbove(name: string): string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
