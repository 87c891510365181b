// What gives somebody the strongest role is sensitive: an admin can do all that its giver can, for as long as they like.
import type { Sensitive } from '../../http/confirmation.ts'

/** `rolesOf`: all roles that the body gives, whatever its fields are called. `or`: what else is sensitive in it. */
export const makesAdmin = <Body>(
  rolesOf: (body: Body) => readonly unknown[],
  or?: Exclude<Sensitive<Body>, true>,
): Sensitive<Body> => ({
  when: `makes somebody an admin${or === undefined ? '' : `, or ${or.when}`}`,
  is: body => rolesOf(body).includes('admin') || or?.is(body) === true,
})
