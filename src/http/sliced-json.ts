// Writes the JSON of long answers in slices: lists are computed as they are written, and other requests are answered
// in between.
import { isObject } from '../base/objects.ts'
import { inSlices } from '../base/slices.ts'

/** A value whose lists may be computed as they are written. */
export type Listed<Value> = Value extends readonly (infer Item)[]
  ? Iterable<Listed<Item>>
  : Value extends object
    ? { readonly [Name in keyof Value]: Listed<Value[Name]> }
    : Value

// Joined in one step.
const JOINED_CHARACTERS = 256 * 1024

/**
 * The bytes of the JSON. Iterables other than arrays are written item by item, in the value itself or in their items.
 */
export async function renderJson(value: unknown): Promise<Buffer> {
  const written: Buffer[] = []
  let pieces: string[] = []
  let characters = 0
  const write = () => {
    written.push(Buffer.from(pieces.join('')))
    pieces = []
    characters = 0
  }
  for await (const piece of inSlices(piecesOf(value))) {
    pieces.push(piece)
    characters += piece.length
    if (characters > JOINED_CHARACTERS) write()
  }
  write()
  return Buffer.concat(written)
}

function* piecesOf(value: unknown): Generator<string> {
  const lists = isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => (isList(member) ? [[name, member] as const] : []))
    : []
  if (!isObject(value) || lists.length === 0) {
    yield JSON.stringify(value)
    return
  }
  const rest = JSON.stringify({
    ...value,
    ...Object.fromEntries(lists.map(([name]) => [name, undefined])),
  })
  yield rest.slice(0, -1)
  let comma = rest === '{}' ? '' : ','
  for (const [name, list] of lists) {
    yield `${comma}${JSON.stringify(name)}:[`
    yield* itemsOf(list)
    yield ']'
    comma = ','
  }
  yield '}'
}

function* itemsOf(list: Iterable<unknown>): Generator<string> {
  let comma = ''
  for (const item of list) {
    yield comma
    yield* piecesOf(item)
    comma = ','
  }
}

const isList = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value)
