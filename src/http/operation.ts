// An operation is a value: its place, who may call it, its input and output, and one function. The routes, the
// OpenAPI document and the tests over all operations are derived from one list of these values.
//
// Before `run` is called, the place finds the thing and the caller's role on it, and the policy decides. A handler
// never receives an id that it has to check.
import type { Static, TObject, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Action, Subject } from '../access/policy.ts'
import type { Author, PersonInSession, Principal, PrincipalKind } from '../access/principal.ts'
import type { ScopeNeeded } from '../access/scopes.ts'
import { assert } from '../base/assert.ts'
import type { CachedBody } from './cached-body.ts'
import type { Sensitive } from './confirmation.ts'
import type { Context } from './context.ts'
import type { Place } from './place.ts'
import type { SupportedHeader } from './preconditions.ts'
import type { Answer, Download } from './replies.ts'

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

/** The bytes of a request as they arrive, to be read once. */
export type UploadBody = {
  readonly bytes: AsyncIterable<Uint8Array>
  /** From the request's headers; absent if they do not say. */
  readonly size: number | undefined
  readonly contentType: string | undefined
}

type Result<R> = R extends TSchema
  ? Static<R> | Answer<Static<R>> | CachedBody | Download
  : // biome-ignore lint/suspicious/noConfusingVoidType: an action without an answer returns nothing
    Answer<never> | CachedBody | void

/** A context whose caller is of one of these kinds. */
export interface ContextOf<Kind extends PrincipalKind> extends Context {
  readonly principal: Extract<Principal, { kind: Kind }>
}

/** A context whose caller is a person. */
export type SignedInContext = ContextOf<'user'>

/** A context whose caller can be shown as an author. */
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
  /** An absent body counts as the empty object. */
  readonly isBodyOptional?: boolean
  readonly bodyBytesMax?: number
  /** Absent: the operation answers without a body. */
  readonly reply?: R
  /** The success status; by default 200 with a reply and 204 without. */
  readonly status?: number
  /** For a PUT: answers 201 if it created something. */
  readonly makes?: boolean
  /** Statuses it can answer besides those of every operation of its kind. */
  readonly failures?: readonly number[]
  /** The body of its 409, if that has more than its error. */
  readonly conflict?: TSchema
  /** The request headers that `run` supports, besides the Idempotency-Key that every POST supports. */
  readonly supportedHeaders?: readonly SupportedHeader[]
  /** The answer holds a secret: it is sent once, and not kept for repeated requests. */
  readonly isAnswerSecret?: true
  /** A POST that writes nothing: repeated under its key it runs again, since what its caller may see changes. */
  readonly isReadOnly?: true
  /** A PUT that starts something: repeated under its Idempotency-Key it is carried out once, as every POST is. */
  readonly isKeyed?: true
  /** `run` answers a `Download` whose JSON has the shape of `reply`. */
  readonly isDownload?: true
  /** The body may be large because of its documents: they arrive folded, for `jsonOfDocument`. */
  readonly foldsDocuments?: true
  /** The address itself grants access, so it stays out of the log. */
  readonly isAddressSecret?: true
  /** In a session it needs a person who has just proved who they are (`http/confirmation.ts`). */
  readonly sensitive?: Sensitive<StaticOr<B, unknown>>
  /** `done`: deleting something missing succeeds, even for strangers, so that it reveals nothing. */
  readonly absent?: 'done'
  /** The kinds of principals that may call it; absent: people. Each kind finds its own roles on the place. */
  readonly by?: readonly PrincipalKind[]
  readonly run: (
    input: Input<At, StaticOr<P, unknown>, StaticOr<Q, unknown>, StaticOr<B, unknown>, C>,
  ) => Promise<Result<R>>
}

/** An operation without a place. */
export interface Draft<At, May, Id>
  extends Omit<Spec<At, May, Context, Id, TObject, TObject, TSchema, TSchema>, 'run'> {
  readonly isStream?: true
  readonly isUpload?: true
  readonly isForSessions?: true
  readonly run: (input: Input<At, never, never, never>) => Promise<unknown>
}

/** An operation as the rest of the program sees it: its types were checked where it was declared. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** Below `/v1`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly tag: string
  /** null: it belongs to no place and needs no role. */
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
  readonly conflict: TSchema | undefined
  readonly supportedHeaders: readonly SupportedHeader[]
  readonly isAnswerSecret: boolean
  readonly isAddressSecret: boolean
  readonly isReadOnly: boolean
  readonly isKeyed: boolean
  /** Tokens are refused: it is about the session that the request comes with. */
  readonly isForSessions: boolean
  readonly sensitive: Sensitive<unknown> | undefined
  readonly isDownload: boolean
  readonly foldsDocuments: boolean
  readonly absent: 'done' | undefined
  /** It answers a stream of events, each of the shape of `reply` (`http/streams.ts`). */
  readonly isStream: boolean
  /** Its body is bytes of any type, handed over as they arrive. */
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

/** Erases the types of `run`, which were checked where the operation was declared. */
const erased = (operation: object): never => operation as never

/**
 * The writer of operations for one kind of place. `Subject` determines the actions for `may`, `At` the input of
 * `run`. The id is a name, or a name for each place that the operation is mounted at.
 */
export const operationsOf = <S extends Subject, At>(): Writer<At, Action<S>, SignedInContext, 'by'> => erased

/**
 * The writer of operations that read published content: visitors may call them, with or without a proof, and so may
 * tokens that act for no person. An operation with a body is a POST.
 */
export const publishedReadsOf =
  <S extends Subject, At>(): Writer<At, Action<S>, Context, 'method' | 'may' | 'by' | 'isReadOnly'> =>
  spec => {
    const method = spec.body === undefined ? { method: 'GET' } : { method: 'POST', isReadOnly: true }
    return erased({ ...spec, ...method, may: 'view', by: READERS })
  }

const READERS: readonly PrincipalKind[] = ['anonymous', 'user', 'installation', 'content']

/** The writer of operations that also accept integrations' tokens: `by` determines the type of the principal. */
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

/** The writer of operations that answer a stream: `reply` is the shape of one event. */
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

/** The writer of operations that receive bytes. They set their own bounds: the frame only hands the bytes over. */
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

/** The writer of operations that belong to no place. */
type WriterAtRoot<C extends Context> = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  spec: Omit<Spec<null, never, C, string, P, Q, B, R>, 'may'>,
) => Operation

/** An operation that belongs to no place and that anybody may call, with or without a token. */
export const openOperation: WriterAtRoot<Context> = spec =>
  toOperation(erased({ ...spec, may: 'anyone', by: EVERYBODY }), spec.id, null)

const EVERYBODY: readonly PrincipalKind[] = [
  'anonymous',
  'user',
  'integration',
  'installation',
  'content',
  'scim',
]

/** An operation that concerns only its caller. */
export const callerOperation: WriterAtRoot<SignedInContext> = spec =>
  toOperation(erased({ ...spec, may: 'signedIn' }), spec.id, null)

/** A stream that concerns only its caller: `reply` is the shape of one event. */
export const callerStream = <E extends TSchema, Q extends TObject | undefined = undefined>(
  spec: Omit<
    Spec<null, never, SignedInContext, string, undefined, Q, undefined, E>,
    'method' | 'may' | 'reply' | 'run'
  > & {
    readonly reply: E
    readonly run: (
      input: Input<null, unknown, StaticOr<Q, unknown>, unknown, SignedInContext>,
    ) => Promise<AsyncIterable<Static<E>>>
  },
): Operation =>
  toOperation(erased({ ...spec, method: 'GET', isStream: true, may: 'signedIn' }), spec.id, null)

/** A context whose caller is a person in a browser. */
export interface SessionContext extends SignedInContext {
  readonly principal: PersonInSession
}

/** An operation about the session of the browser that calls it. */
export const sessionOperation: WriterAtRoot<SessionContext> = spec =>
  toOperation(erased({ ...spec, may: 'signedIn', isForSessions: true }), spec.id, null)

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
    conflict: draft.conflict,
    supportedHeaders: draft.supportedHeaders ?? [],
    isAnswerSecret: draft.isAnswerSecret ?? false,
    isAddressSecret: draft.isAddressSecret ?? false,
    isReadOnly: draft.isReadOnly ?? false,
    isKeyed: draft.isKeyed ?? (draft.method === 'POST' && draft.isForSessions !== true),
    isForSessions: draft.isForSessions ?? false,
    // Its body was checked where the operation was declared.
    sensitive: draft.sensitive as Operation['sensitive'],
    foldsDocuments: draft.foldsDocuments ?? false,
    absent: draft.absent,
    isStream: draft.isStream ?? false,
    isDownload: draft.isDownload ?? false,
    isUpload: draft.isUpload ?? false,
    by: draft.by ?? ['user'],
    // The types of `run` are erased: they were checked where the operation was declared.
    run: draft.run as Operation['run'],
  }
}
