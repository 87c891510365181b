// An operation is a value: its place, who may, what goes in and comes out, and one function. Routes, the OpenAPI
// document and the tests over all operations are made from the same list of these values.
//
// Its place finds the thing and the caller's role on it and the policy decides, both before `run` is called. A handler
// never sees an id it has to check.
import type { Static, TObject, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Action, Subject } from '../access/policy.ts'
import type { Author, Principal, PrincipalKind } from '../access/principal.ts'
import type { ScopeNeeded } from '../access/scopes.ts'
import { assert } from '../base/assert.ts'
import type { CachedBody } from './cached-body.ts'
import type { Context } from './context.ts'
import type { Place } from './place.ts'
import type { SupportedHeader } from './preconditions.ts'
import type { Answer } from './replies.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type StaticOr<T, Absent> = T extends TSchema ? Static<T> : Absent

export interface Input<At, P, Q, B, C extends Context = Context> {
  readonly context: C
  readonly at: At
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Aborted when the client has left or the server stops; for work that should end then. */
  readonly signal: AbortSignal
}

/** The bytes of a request as they come, to be read once. */
export type UploadBody = {
  readonly bytes: AsyncIterable<Uint8Array>
  /** As its headers say; absent where they do not. */
  readonly size: number | undefined
  readonly contentType: string | undefined
}

type Result<R> = R extends TSchema
  ? Static<R> | Answer<Static<R>> | CachedBody
  : // biome-ignore lint/suspicious/noConfusingVoidType: an action without an answer returns nothing
    Answer<never> | CachedBody | void

/** A context whose caller is of one of these kinds. */
export interface ContextOf<Kind extends PrincipalKind> extends Context {
  readonly principal: Extract<Principal, { kind: Kind }>
}

/** A context whose caller is a person. */
export type SignedInContext = ContextOf<'user'>

/** A context whose caller can be shown as the author of what they write. */
export interface AuthorContext extends Context {
  readonly principal: Author
}

interface Spec<At, May, C extends Context, Id, P, Q, B, R> {
  readonly id: Id
  readonly method: Method
  /** Below the place; a last parameter written `{name*}` takes the rest of the path, slashes included. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly may: May
  readonly scope: ScopeNeeded
  /** Parameters of `path` beyond those of the place. */
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** An absent body is the empty object. */
  readonly isBodyOptional?: boolean
  readonly bodyBytesMax?: number
  /** Absent: the operation answers without a body. */
  readonly reply?: R
  /** The success status; 200 with a reply and 204 without. */
  readonly status?: number
  /** Of a PUT: it answers 201 where it made what was not there. */
  readonly makes?: boolean
  /** Statuses it can answer besides the ones every operation of its kind has. */
  readonly failures?: readonly number[]
  /** The headers of a request that `run` supports; every POST has its Idempotency-Key besides. */
  readonly supportedHeaders?: readonly SupportedHeader[]
  /** The answer holds a secret: it is given once, and kept for no repetition of the request. */
  readonly isAnswerSecret?: true
  /** A POST that writes nothing: sent again under its key it is carried out again, as what its caller may see changes. */
  readonly isReadOnly?: true
  /** Its body may be large by its documents: they come folded, and `jsonOfDocument` has them. */
  readonly foldsDocuments?: true
  /** The address itself grants access, so it stays out of the log. */
  readonly isAddressSecret?: true
  /** `done`: deleting something missing succeeds, for strangers too, so that it reveals nothing. */
  readonly absent?: 'done'
  /** The kinds of tokens that it takes; absent: a person's. Each kind finds its own roles on the place. */
  readonly by?: readonly PrincipalKind[]
  readonly run: (
    input: Input<At, StaticOr<P, unknown>, StaticOr<Q, unknown>, StaticOr<B, unknown>, C>,
  ) => Promise<Result<R>>
}

/** An operation before it was given a place. */
export interface Draft<At, May, Id>
  extends Omit<Spec<At, May, Context, Id, TObject, TObject, TSchema, TSchema>, 'run'> {
  readonly isStream?: true
  readonly isUpload?: true
  readonly run: (input: Input<At, never, never, never>) => Promise<unknown>
}

/** An operation as the rest of the program sees it: its types were checked where it was written. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** Below `/v1`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly tag: string
  /** null: it hangs on nothing and needs no role. */
  readonly place: Place<Subject, unknown> | null
  readonly may: string
  readonly scope: ScopeNeeded
  readonly params: TObject
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly isBodyOptional: boolean
  readonly bodyBytesMax: number | undefined
  readonly reply: TSchema | undefined
  readonly status: number
  readonly makes: boolean
  readonly failures: readonly number[]
  readonly supportedHeaders: readonly SupportedHeader[]
  readonly isAnswerSecret: boolean
  readonly isAddressSecret: boolean
  readonly isReadOnly: boolean
  readonly foldsDocuments: boolean
  readonly absent: 'done' | undefined
  /** It answers events, each of the shape of `reply`, one after the other (`http/streams.ts`). */
  readonly isStream: boolean
  /** Its body is bytes of any type, which it is given as they come. */
  readonly isUpload: boolean
  readonly by: readonly PrincipalKind[]
  run(input: Input<unknown, unknown, unknown, unknown>): Promise<unknown>
}

/** Infers the types of `run` from the schemas beside it. `Fixed`: what the writer sets itself. */
type Writer<At, May, C extends Context, Fixed extends string = never> = <
  Id extends string | Readonly<Record<string, string>>,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  spec: Omit<Spec<At, May, C, Id, P, Q, B, R>, Fixed> & { readonly [Name in Fixed]?: never },
) => Draft<At, May, Id>

/** Behind a writer the types of `run` are not known any more: they were checked where the operation was written. */
const erased = (operation: object): never => operation as never

/**
 * The writer of operations for one kind of place. `Subject` fixes what `may` can say, `At` what `run` is given.
 * The id is a name, or a name for each place it will be mounted at.
 */
export const operationsOf = <S extends Subject, At>(): Writer<At, Action<S>, SignedInContext, 'by'> => erased

/**
 * The writer of operations that read published content: visitors may call them, with a proof or without, and so may
 * tokens that speak for no person. One with a body is a POST.
 */
export const publishedReadsOf =
  <S extends Subject, At>(): Writer<At, Action<S>, Context, 'method' | 'may' | 'by' | 'isReadOnly'> =>
  spec => {
    const method = spec.body === undefined ? { method: 'GET' } : { method: 'POST', isReadOnly: true }
    return erased({ ...spec, ...method, may: 'view', by: READERS })
  }

const READERS: readonly PrincipalKind[] = ['anonymous', 'user', 'installation', 'content']

/** The writer of operations that take tokens of integrations too: `by` decides the type of the principal. */
export const programOperationsOf =
  <S extends Subject, At>() =>
  <
    Id extends string | Readonly<Record<string, string>>,
    P extends TObject | undefined = undefined,
    Q extends TObject | undefined = undefined,
    B extends TSchema | undefined = undefined,
    R extends TSchema | undefined = undefined,
    const Kind extends PrincipalKind = PrincipalKind,
  >(
    spec: Spec<At, Action<S>, ContextOf<NoInfer<Kind>>, Id, P, Q, B, R> & { readonly by: readonly Kind[] },
  ): Draft<At, Action<S>, Id> =>
    erased(spec)

/** The writer of operations that answer piece by piece: `reply` is the shape of one event. */
export const streamsOf =
  <S extends Subject, At>() =>
  <
    Id extends string,
    E extends TSchema,
    P extends TObject | undefined = undefined,
    Q extends TObject | undefined = undefined,
  >(
    spec: Omit<Spec<At, Action<S>, SignedInContext, Id, P, Q, undefined, E>, 'method' | 'reply' | 'run'> & {
      readonly reply: E
      readonly run: (
        input: Input<At, StaticOr<P, unknown>, StaticOr<Q, unknown>, unknown, SignedInContext>,
      ) => Promise<AsyncIterable<Static<E>>>
    },
  ): Draft<At, Action<S>, Id> =>
    erased({ ...spec, method: 'GET', isStream: true })

/** The writer of operations that are sent bytes. They bound them: the frame only hands them on. */
export const uploadsOf =
  <S extends Subject, At>() =>
  <
    Id extends string,
    P extends TObject | undefined = undefined,
    Q extends TObject | undefined = undefined,
    R extends TSchema | undefined = undefined,
  >(
    spec: Omit<Spec<At, Action<S>, SignedInContext, Id, P, Q, undefined, R>, 'method' | 'body' | 'run'> & {
      readonly run: (
        input: Input<At, StaticOr<P, unknown>, StaticOr<Q, unknown>, UploadBody, SignedInContext>,
      ) => Promise<Result<R>>
    },
  ): Draft<At, Action<S>, Id> =>
    erased({ ...spec, method: 'PUT', isUpload: true })

/** Mounts each draft at each place; with several places, `id` has to name each. */
export function mount<S extends Subject, At>(
  places: readonly Place<S, At>[],
  drafts: readonly Draft<At, Action<S>, string | Readonly<Record<string, string>>>[],
): Operation[] {
  return places.flatMap(place =>
    drafts.map(draft => {
      const id = typeof draft.id === 'string' ? draft.id : draft.id[place.name]
      assert(id !== undefined, `${draft.method} ${draft.path} has no id at the place ${place.name}`)
      return toOperation(erased(draft), id, erased(place))
    }),
  )
}

/** The writer of operations that hang on nothing. */
type WriterAtRoot<C extends Context> = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  spec: Omit<Spec<null, never, C, string, P, Q, B, R>, 'may'>,
) => Operation

/** Writes an operation that hangs on nothing and that anybody may call, with a token or without. */
export const openOperation: WriterAtRoot<Context> = spec =>
  toOperation(erased({ ...spec, may: 'anyone', by: EVERYBODY }), spec.id, null)

const EVERYBODY: readonly PrincipalKind[] = ['anonymous', 'user', 'integration', 'installation', 'content']

/** Writes an operation that hangs on nothing but its caller. */
export const callerOperation: WriterAtRoot<SignedInContext> = spec =>
  toOperation(erased({ ...spec, may: 'signedIn' }), spec.id, null)

function toOperation(
  draft: Draft<unknown, string, unknown>,
  id: string,
  place: Place<Subject, unknown> | null,
): Operation {
  return {
    id,
    method: draft.method,
    path: (place?.path ?? '') + draft.path,
    summary: draft.summary,
    description: draft.description,
    tag: draft.tag,
    place,
    may: draft.may,
    scope: draft.scope,
    params: Type.Object({ ...place?.params.properties, ...draft.params?.properties }),
    query: draft.query,
    body: draft.body,
    isBodyOptional: draft.isBodyOptional ?? false,
    bodyBytesMax: draft.bodyBytesMax,
    reply: draft.reply,
    status: draft.status ?? (draft.reply === undefined ? 204 : 200),
    makes: draft.makes ?? false,
    failures: draft.failures ?? [],
    supportedHeaders: draft.supportedHeaders ?? [],
    isAnswerSecret: draft.isAnswerSecret ?? false,
    isAddressSecret: draft.isAddressSecret ?? false,
    isReadOnly: draft.isReadOnly ?? false,
    foldsDocuments: draft.foldsDocuments ?? false,
    absent: draft.absent,
    isStream: draft.isStream ?? false,
    isUpload: draft.isUpload ?? false,
    by: draft.by ?? ['user'],
    // Behind an operation the types of `run` are not known any more: they were checked where it was written.
    run: draft.run as Operation['run'],
  }
}
