// What the schema of a block is made of, as data: what a written value means is in attributes.ts. Anything may load this:
// nothing here depends on Node or on the parser.

/** What an address leads to; links are checked, and rewritten when pages move, by these. */
type AddressOf = 'content-ref' | 'embed' | 'file' | 'include' | 'openapi'
/** What a name that is not a path stands for. */
type NameOf = 'openapi-spec'

type AnyKind =
  | {
      readonly kind:
        | 'required'
        | 'optional'
        | 'word'
        | 'flag'
        | 'answer'
        | 'count'
        | 'length'
        | 'names'
        | 'tags'
    }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'address'; readonly to: AddressOf }
  | { readonly kind: 'reference'; readonly to: NameOf }

export type Attribute = AnyKind & {
  /** Its names in the tag, if they differ from the name in the data; the first is written. */
  readonly names?: readonly string[]
  /** Its value where nothing is written; without it, there is none. */
  readonly absent?: unknown
}
export type Kind = Attribute['kind']

/** Text, written even if empty. */
export const required = { kind: 'required' } as const

/** Text. */
export const optional = { kind: 'optional' } as const

/** Text without white space around it. */
export const word = { kind: 'word' } as const

/** Written only when on. */
export const flag = { kind: 'flag' } as const

/** A flag that is also written when off. */
export const answer = { kind: 'answer' } as const

/** A whole number from 1. */
export const count = { kind: 'count' } as const

/** Pixels, or a percentage. */
export const length = { kind: 'length' } as const

/** Comma-separated names. */
export const names = { kind: 'names', absent: [] } as const

/** Comma-separated names; in data also objects that name their tag. */
export const tags = { kind: 'tags' } as const

/** One of these, in whatever case it is written. */
export const oneOf = <const T extends string>(values: readonly T[]) => ({ kind: 'choice', values }) as const

/** A path or a web address, without white space around it. */
export const address = <const T extends AddressOf>(to: T) => ({ kind: 'address', to }) as const

/** The name of an object, without white space around it. */
export const reference = <const T extends NameOf>(to: T) => ({ kind: 'reference', to }) as const

export const withDefault = <const A extends Attribute, const T>(attribute: A, absent: T) =>
  ({ ...attribute, absent }) as const

export const named = <const A extends Attribute>(attribute: A, ...names: readonly string[]) =>
  ({ ...attribute, names }) as const

/** The places that hold blocks: the page (also conditions, updates and cells), and containers that hold less. */
export type Place =
  | 'page'
  | 'section'
  | 'column'
  | 'hint'
  | 'quotation'
  | 'list-item'
  | 'expandable'
  | 'footnote'
  | 'prompt'

/** A block that is written as a tag. */
export type BlockSchema = {
  /** The names of its tag, of which the first is written. */
  readonly tags: readonly string[]
  /** The types of blocks that it is in a rich document. */
  readonly types: readonly string[]
  /** Beginnings of further names: `swagger` is also `swagger-parameter`. */
  readonly families?: readonly string[]
  readonly attributes: { readonly [name: string]: Attribute }
  /** What follows the name, for tags that are not made of attributes. */
  readonly argument?: { readonly name: string; readonly attribute: Attribute }
  /** The attributes whose values readers see, in order. */
  readonly words?: readonly string[]
  /** Its content ends at a closing tag; without one, the tag is words. */
  readonly isPair: boolean
  /** The block that its content is made of. */
  readonly item?: string
  /** The block that holds it. */
  readonly container?: string
  /** What its content may be, in a rich document. */
  readonly holds?: readonly Place[]
  /** Where it is allowed in a rich document; an item is allowed in its container. */
  readonly standsIn: readonly Place[]
  /** Its items are steps: they are quoted together, in order. */
  readonly isSequence?: true
  /** Its content repeats its destination as a link, for people who read the plain Markdown. */
  readonly repeatsAddress?: true
}
