// What the changes of a request plan for its texts, which are written once the tree is as the request leaves it.
import type { Hash } from '../../../engines/content/records.ts'
import type { LinkTarget, NewDocument } from '../request/fields.ts'
import type { ChangeOf } from '../request/schema.ts'

/** What a change wants of a text. */
export type Step =
  | {
      readonly kind: 'write'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly metadata: Omit<ChangeOf<'update_page'>, 'operation' | 'page'>
      /** What the page was called before this change and is called by it. */
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** A reusable content, and what it is called. */
  | {
      readonly kind: 'include'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** The text of another revision. */
  | {
      readonly kind: 'reset'
      readonly index: number
      readonly document: Hash | null
      readonly oid: string | undefined
    }
  /** Changes of single blocks since another text are undone. */
  | {
      readonly kind: 'undo'
      readonly index: number
      readonly document: Hash | null
      readonly blocks: readonly string[]
    }
  /** Where a link page leads. */
  | { readonly kind: 'aim'; readonly index: number; readonly target: LinkTarget }
