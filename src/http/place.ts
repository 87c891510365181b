// Places: where operations hang. Looking a thing up is being allowed to: a place turns path parameters into a loaded
// thing and the caller's role on it, before anything else of an operation runs.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { RoleOn, Subject } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from './context.ts'

/** The only code that turns path parameters into a thing. */
export interface Place<S extends Subject, At> {
  readonly name: string
  readonly subject: S
  /** With parameters in braces: `/spaces/{spaceId}`. */
  readonly path: string
  readonly params: TObject
  /** What is missing when `find` finds nothing, in words for the caller. */
  readonly noun: string
  find(context: Context, params: Readonly<Record<string, string>>): Promise<At | undefined>
  role(principal: Principal, at: At): RoleOn<S> | null
}

/** What is left out is as at the place above. */
interface PlaceBelow<Above, S extends Subject, At, P extends TProperties> {
  readonly name?: string
  readonly subject: S
  /** Below that of the place above. */
  readonly path: string
  /** Parameters of `path`. */
  readonly params?: P
  readonly noun?: string
  find(context: Context, above: Above, params: Static<TObject<P>>): At | undefined | Promise<At | undefined>
  role(principal: Principal, at: NoInfer<At>): RoleOn<S> | null
}

/** A place whose thing is found from that of another place. */
export const below = <Above, S extends Subject, At, P extends TProperties>(
  above: Place<Subject, Above>,
  { path, params, find, ...rest }: PlaceBelow<Above, S, At, P>,
): Place<S, At> => ({
  ...above,
  ...rest,
  path: above.path + path,
  params: Type.Object({ ...above.params.properties, ...params }),
  async find(context, given) {
    const at = await above.find(context, given)
    // admission has checked `given` against `params`
    return at === undefined ? undefined : find(context, at, given as Static<TObject<P>>)
  },
})
