// The libraries that process specifications copy objects member by member, so a number that a double cannot hold passes
// through them as a text with a mark. A text of somebody else's with this mark becomes a number in their own document.

import { WrittenNumber } from '../../base/written-numbers.ts'

// From the private use area.
const MARK = '\ue000number:'
const MARKED = /^\ue000number:(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

export const markNumber = (source: string): string => MARK + source

const sourceOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(MARK) ? MARKED.exec(value)?.[1] : undefined

/** The document as JSON, with its marked numbers as they were written. */
export const writeMarked = (document: object): string =>
  JSON.stringify(document, (_, value: unknown) => {
    const source = sourceOf(value)
    return source === undefined ? value : new WrittenNumber(source).toJSON()
  })

/** A copy with each marked number as a double. */
export function withDoubles(document: object): object {
  const copy = structuredClone(document)
  const seen = new Set<object>()
  const waiting: object[] = [copy]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    for (const [name, value] of Object.entries(next)) {
      const source = sourceOf(value)
      if (source !== undefined) define(next, name, Number(source))
      else if (typeof value === 'object' && value !== null) waiting.push(value)
    }
  }
  return copy
}

/** `__proto__` is a name like any other. */
const define = (on: object, name: string, value: number): void =>
  void Object.defineProperty(on, name, { value, enumerable: true, writable: true, configurable: true })
