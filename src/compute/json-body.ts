// Parses the JSON of a request, in time proportional to the bytes sent.
//
// The nodes of rich documents are most of a large body, and only tasks of the pool look at them: they come back as
// JSON text, which is copied between threads much faster than objects.
import { canonicalJson, type Json, sha256 } from '../base/canonical.ts'
import { nestsDeeperThan } from '../base/json-depth.ts'
import type { Task } from './task.ts'

// A rich document may have 320 levels, and is nested in the body.
export const BODY_LEVELS_MAX = 500
/** Excludes the nodes of folded documents. The main thread copies and checks these values, which takes 10 ms. */
export const BODY_VALUES_MAX = 30_000

type Sent = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Whether documents are folded: replaced by an object without their nodes. */
  readonly isFolding: boolean
  /** Whether each document gets a digest. */
  readonly isDigesting: boolean
}

/** A document in a body; or the body itself, if it has the nodes of one. */
export type FoldedDocument = {
  /** The object that replaces it. */
  readonly stub: object
  readonly json: string
  /** The same for equal documents, whatever the order of their members. */
  readonly digest: string | undefined
}

export type ReadJson =
  | { readonly kind: 'read'; readonly value: unknown; readonly documents: readonly FoldedDocument[] }
  | ({ readonly kind: 'refused' } & Refusal)

type Refusal = {
  readonly why: 'no_json' | 'too_deep' | 'half_character' | 'name_forbidden' | 'too_many_values'
  /** Member names and list indexes that lead to it. */
  readonly path: readonly string[]
}

// A hop costs as much as parsing some 60 KB of JSON.
export const BYTES_OF_CHARACTER = 64

export const jsonBody: Task<Sent, ReadJson> = ({ bytes, isFolding, isDigesting }) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (nestsDeeperThan(text, BODY_LEVELS_MAX)) return refused('too_deep')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused('no_json')
  }
  const look = new Look(value, { isFolding, isDigesting, hasHalves: HALF.test(text) })
  const refusal = look.at(value)
  return refusal === undefined
    ? { kind: 'read', value, documents: look.documents }
    : { kind: 'refused', ...refusal }
}

const refused = (why: Refusal['why']) => ({ kind: 'refused', why, path: [] }) as const

// Half of a surrogate pair can only be written as an escape; a pair of escapes looks the same. UTF-8 cannot hold a
// half: stored, it would silently become another text.
const HALF = /\\u[dD][89a-fA-F]/

type JsonChecks = { readonly isFolding: boolean; readonly isDigesting: boolean; readonly hasHalves: boolean }

/** One walk over a body of bounded depth. */
class Look {
  readonly documents: FoldedDocument[] = []
  readonly #body: unknown
  readonly #checks: JsonChecks
  #values = 0

  constructor(body: unknown, checks: JsonChecks) {
    this.#body = body
    this.#checks = checks
  }

  at(value: unknown, isCounted = true): Refusal | undefined {
    if (isCounted && ++this.#values > BODY_VALUES_MAX) return { why: 'too_many_values', path: [] }
    if (typeof value === 'string')
      return this.#isHalf(value) ? { why: 'half_character', path: [] } : undefined
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) return this.#atItems(value, isCounted)
    // Writable, unlike the type that `isObject` gives it: a document is folded in place.
    return this.#atMembers(value as Record<string, unknown>, isCounted)
  }

  #atItems(items: readonly unknown[], isCounted: boolean): Refusal | undefined {
    for (let index = 0; index < items.length; index++) {
      const refusal = this.at(items[index], isCounted)
      if (refusal !== undefined) return below(String(index), refusal)
    }
    return undefined
  }

  #atMembers(object: Record<string, unknown>, isCounted: boolean): Refusal | undefined {
    const isFolded =
      isCounted && this.#checks.isFolding && (isDocument(object) || this.#isBodyWithNodes(object))
    for (const name of Object.keys(object)) {
      // A member name is checked like any other text.
      if (this.#isHalf(name)) return { why: 'half_character', path: [] }
      if (isForbidden(name, object[name])) return { why: 'name_forbidden', path: [name] }
      const refusal = this.at(object[name], isCounted && !(isFolded && name === 'nodes'))
      if (refusal !== undefined) return below(name, refusal)
    }
    if (isFolded) this.#fold(object)
    return undefined
  }

  #fold(document: Record<string, unknown>): void {
    // The document was parsed from JSON.
    const digest = this.#checks.isDigesting ? sha256(canonicalJson(document as Json)) : undefined
    const whole = isDocument(document) ? document : { object: 'document', data: {}, nodes: document.nodes }
    this.documents.push({ stub: document, json: JSON.stringify(whole), digest })
    document.nodes = FOLDED
  }

  #isBodyWithNodes(object: Readonly<Record<string, unknown>>): boolean {
    return object === this.#body && Array.isArray(object.nodes)
  }

  readonly #isHalf = (text: string): boolean => this.#checks.hasHalves && !text.isWellFormed()
}

/** No node is of this kind: mistaken for a node, it would be refused. */
const FOLDED = [{ object: 'folded' }] as const

const isDocument = (object: Readonly<Record<string, unknown>>): boolean =>
  object.object === 'document' && Array.isArray(object.nodes)

/** Names that would change the prototype of an object that members are copied into. */
const isForbidden = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))

const below = (name: string, { why, path }: Refusal): Refusal => ({ why, path: [name, ...path] })
