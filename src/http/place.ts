// Places: what operations belong to. Lookup and permission are one step: a place turns path parameters into a loaded
// thing and the caller's role on it, before anything else in an operation runs.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { RoleOn, Subject } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from './context.ts'

/** The only code that turns path parameters into a thing. */
export interface Place<S extends Subject, At> {
  /** Distinguishes the places that an operation is mounted at. */
  readonly name: string
  readonly subject: S
  /** With parameters in braces: `/spaces/{spaceId}`. */
  readonly path: string
  readonly params: TObject
  /** What is missing if `find` finds nothing, in words for the caller. */
  readonly noun: string
  find(context: Context, params: Readonly<Record<string, string>>): Promise<At | undefined>
  role(principal: Principal, at: At): RoleOn<S> | null
  /** The revision that reads at this place read, for the header `Octavo-Revision`. */
  revisionOf?(at: At): string
}

interface PlaceAtRoot<S extends Subject, At, P extends TProperties> {
  readonly path: string
  /** Parameters of `path`. */
  readonly params: P
  find(context: Context, params: Static<TObject<P>>): Promise<At | undefined>
  role(principal: Principal, at: NoInfer<At>): RoleOn<S> | null
}

/** A place at the root of the API; its name and noun are those of its subject. */
export const placeOf = <S extends Subject, At, P extends TProperties>(
  subject: S,
  { params, find, ...rest }: PlaceAtRoot<S, At, P>,
): Place<S, At> => ({
  name: subject,
  subject,
  noun: subject,
  params: Type.Object(params),
  find: (context, given) => find(context, checked(given)),
  ...rest,
})

/** Absent members are those of the place above. */
interface PlaceBelow<Above, S extends Subject, At, P extends TProperties> {
  readonly name?: string
  readonly subject: S
  /** Below the path of the place above. */
  readonly path: string
  /** Parameters of `path`. */
  readonly params?: P
  readonly noun?: string
  find(context: Context, above: Above, params: Static<TObject<P>>): At | undefined | Promise<At | undefined>
  role(principal: Principal, at: NoInfer<At>): RoleOn<S> | null
  revisionOf?(at: NoInfer<At>): string
}

/** A place whose thing is found from that of another place. */
export const below = <Above, S extends Subject, At, P extends TProperties>(
  { revisionOf: _, ...above }: Place<Subject, Above>,
  { path, params, find, ...rest }: PlaceBelow<Above, S, At, P>,
): Place<S, At> => ({
  ...above,
  ...rest,
  path: above.path + path,
  params: Type.Object({ ...above.params.properties, ...params }),
  async find(context, given) {
    const at = await above.find(context, given)
    return at === undefined ? undefined : find(context, at, checked(given))
  },
})

/** Admission has checked the parameters of a path before they are used. */
const checked = <P>(params: Readonly<Record<string, string>>) => params as P

/** Subject and role are those of the place above unless given; the noun is the key. */
interface RowBelow<Above, S extends Subject, At, Row, P extends TProperties> {
  readonly subject?: S
  readonly path: string
  readonly params: P
  readonly noun?: string
  find(context: Context, above: Above, params: Static<TObject<P>>): Promise<Row | undefined>
  role?(principal: Principal, at: NoInfer<At>): RoleOn<S> | null
}

/**
 * A place whose thing is that of another place plus a row found below it, under `key`. The casts restate `RowBelow`:
 * without a subject of its own, `S` is `A`, and the role is that of the place above.
 */
export const rowBelow = <
  A extends Subject,
  Above,
  const Key extends string,
  Row,
  P extends TProperties,
  S extends Subject = A,
>(
  above: Place<A, Above>,
  key: Key,
  { find, ...rest }: RowBelow<Above, S, Above & Readonly<Record<Key, Row>>, Row, P>,
): Place<S, Above & Readonly<Record<Key, Row>>> =>
  below(above as Place<Subject, Above>, {
    subject: above.subject as Subject as S,
    role: above.role as never,
    noun: key,
    ...rest,
    async find(context, at, params) {
      const row = await find(context, at, params)
      return row && ({ ...at, [key]: row } as Above & Readonly<Record<Key, Row>>)
    },
  })
