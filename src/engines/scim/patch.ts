// The body of a PATCH (RFC 7644 §3.5.2), as Entra and Okta send it too: operations in any case, and values without a
// path, whose members are targets of their own.
import { entriesOf, isObject } from '../../base/objects.ts'
import { type Parsed, type PatchPath, parsePath } from './filter.ts'

export type PatchOperation = {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: PatchPath
  readonly value: unknown
  /** Whether the request named the target by a path of its own, and not as a member of a value. */
  readonly isNamed: boolean
}

/** `isPath`: what is wrong is a path (RFC 7644 §3.12). */
export type ParsedPatch =
  | { readonly value: readonly PatchOperation[] }
  | { readonly problem: string; readonly kind: 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'noTarget' }

export const OPERATIONS_MAX = 1000

const OPS = ['add', 'replace', 'remove'] as const

export function parsePatch(body: unknown): ParsedPatch {
  const list = fieldOf(body, 'operations')
  if (!Array.isArray(list))
    return { problem: 'Operations: it is missing, or no list.', kind: 'invalidSyntax' }
  if (list.length > OPERATIONS_MAX)
    return { problem: `Operations: there are more than ${OPERATIONS_MAX}.`, kind: 'invalidSyntax' }
  const operations: PatchOperation[] = []
  for (const [index, item] of list.entries()) {
    const read = parseOperation(item, `Operations[${index}]`)
    if ('problem' in read) return read
    operations.push(...read.value)
    if (operations.length > OPERATIONS_MAX)
      return { problem: `Operations: they have more than ${OPERATIONS_MAX} targets.`, kind: 'invalidSyntax' }
  }
  return { value: operations }
}

function parseOperation(item: unknown, where: string): ParsedPatch {
  const said = fieldOf(item, 'op')
  const op = OPS.find(one => typeof said === 'string' && said.toLowerCase() === one)
  if (op === undefined) return { problem: `${where}.op: send add, replace or remove.`, kind: 'invalidSyntax' }
  const path = fieldOf(item, 'path')
  const value = fieldOf(item, 'value')
  if (op !== 'remove' && value === undefined)
    return { problem: `${where}.value: it is missing.`, kind: 'invalidValue' }
  if (typeof path === 'string' && path !== '') {
    const parsed = parsePath(path)
    if ('problem' in parsed) return badPath(`${where}.path`, parsed)
    return { value: [{ op, path: parsed.value, value, isNamed: true }] }
  }
  if (path !== undefined && path !== null && path !== '')
    return { problem: `${where}.path: this must be a text.`, kind: 'invalidPath' }
  if (op === 'remove') return { problem: `${where}.path: say what to remove.`, kind: 'noTarget' }
  if (!isObject(value))
    return {
      problem: `${where}.value: without a path this must be an object of attributes.`,
      kind: 'invalidValue',
    }
  const operations: PatchOperation[] = []
  for (const [name, one] of Object.entries(value)) {
    if (name.toLowerCase() === 'schemas') continue
    const parsed = parsePath(name)
    if ('problem' in parsed) return badPath(`${where}.value`, parsed)
    operations.push({ op, path: parsed.value, value: one, isNamed: false })
  }
  return { value: operations }
}

const badPath = (where: string, { problem }: Extract<Parsed<never>, { problem: string }>): ParsedPatch => ({
  problem: `${where}: ${problem}.`,
  kind: 'invalidPath',
})

/** A member by its name, which SCIM compares without case (RFC 7643 §2.1). `name` is in lower case. */
export function fieldOf(object: unknown, name: string): unknown {
  return entriesOf(object).find(([key]) => key.toLowerCase() === name)?.[1]
}
