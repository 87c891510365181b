// Some operations need somebody who has just proved who they are. A call that is refused for that waits here until the
// person has, and is made again: whatever writes, on any screen, needs to know nothing of it.
import { reasonOf } from './refusals.ts'
import { createStore } from './store.ts'

type Question = { readonly answer: (isConfirmed: boolean) => void }

/** What the person is being asked now. */
export const question = createStore<Question | null>(null)

/** Why the API refuses such a call. */
export const UNCONFIRMED = 'confirm_identity'

/** The answer of the server; the refusal of somebody who did not confirm who they are. */
export async function fetchConfirmed(request: Request): Promise<Response> {
  // A request can be sent once.
  const again = request.clone()
  const answer = await fetch(request)
  const reason = answer.status === 403 ? await reasonOf(answer) : undefined
  if (reason === FACTOR_NEEDED) leadToSecondFactor()
  if (reason !== UNCONFIRMED || !(await ask())) return answer
  return fetch(again)
}

const FACTOR_NEEDED = 'second_factor_needed'

/** An organization opens once the person has a second factor, which has a page outside the workspace. */
function leadToSecondFactor(): void {
  const { pathname, search } = location
  location.assign(`/account/second-factor?${new URLSearchParams({ next: pathname + search })}`)
}

let asking: Promise<boolean> | undefined

/** Calls that are refused meanwhile wait for the same answer. */
function ask(): Promise<boolean> {
  asking ??= new Promise<boolean>(resolve => question.set({ answer: resolve })).finally(() => {
    asking = undefined
    question.set(null)
  })
  return asking
}
