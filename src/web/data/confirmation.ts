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
  if (!(await isUnconfirmed(answer)) || !(await ask())) return answer
  return fetch(again)
}

const isUnconfirmed = async (answer: Response): Promise<boolean> =>
  answer.status === 403 && (await reasonOf(answer)) === UNCONFIRMED

let asking: Promise<boolean> | undefined

/** Calls that are refused meanwhile wait for the same answer. */
function ask(): Promise<boolean> {
  asking ??= new Promise<boolean>(resolve => question.set({ answer: resolve })).finally(() => {
    asking = undefined
    question.set(null)
  })
  return asking
}
