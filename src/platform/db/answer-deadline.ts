// How long a server may take to answer a statement. It stops statements that take too long; a server that is paused, or
// that can no longer be reached, does not, and TCP alone would wait for a quarter of an hour.
import type { Duplex } from 'node:stream'
import type { PoolClient } from 'pg'
import { LIFT_IN_SESSION, LIFT_IN_TRANSACTION, RESTORE_IN_SESSION } from './statement-deadline.ts'

type Connection = PoolClient & { readonly connection: { readonly stream: Duplex } }

export class AnswerDeadline {
  readonly #client: Connection
  readonly #ms: number
  #isLiftedInTransaction = false
  #isLiftedInSession = false

  /** 0: none. */
  constructor(client: Connection, ms: number) {
    this.#client = client
    this.#ms = ms
  }

  /** The answer, which `ask` asks for. A connection without one in time ends, and what was asked on it fails. */
  async answerOf<T>(text: string, ask: () => Promise<T>): Promise<T> {
    this.#lift(text)
    if (this.#ms === 0 || this.#isLiftedInTransaction || this.#isLiftedInSession) return ask()
    // An answer that came while this thread was busy is read before the immediate.
    const timer = setTimeout(() => {
      late = setImmediate(() => this.#end())
    }, this.#ms)
    let late: NodeJS.Immediate | undefined
    try {
      return await ask()
    } finally {
      clearTimeout(timer)
      clearImmediate(late)
    }
  }

  /** The transaction has ended. */
  restoreAfterTransaction(): void {
    this.#isLiftedInTransaction = false
  }

  #lift(text: string): void {
    if (text === LIFT_IN_TRANSACTION) this.#isLiftedInTransaction = true
    if (text === LIFT_IN_SESSION) this.#isLiftedInSession = true
    if (text === RESTORE_IN_SESSION) this.#isLiftedInSession = false
  }

  #end(): void {
    this.#client.connection.stream.destroy(
      Object.assign(new Error(`the database did not answer within ${this.#ms} ms`), { code: 'ETIMEDOUT' }),
    )
  }
}
