// Who runs how many jobs in this process, and who had a turn when: what the next claim needs to be fair.
import { LRUCache } from 'lru-cache'
import type { ClaimedJob, Standing, Standings } from './rows.ts'
import { organizationName, personName } from './rows.ts'

// Each claim sends them to the database. Whoever had a turn before that counts as if they had none.
const REMEMBERED_MAX = 200

type Party = Pick<ClaimedJob, 'for_organization' | 'for_person'>

export class TurnsTaken {
  readonly #organizations = new LRUCache<string, number>({ max: REMEMBERED_MAX })
  readonly #persons = new LRUCache<string, number>({ max: REMEMBERED_MAX })
  #turns = 0

  add({ for_organization, for_person }: Party): void {
    this.#turns += 1
    this.#organizations.set(organizationName(for_organization), this.#turns)
    this.#persons.set(personName(for_organization, for_person), this.#turns)
  }

  /** With what is `running` of the jobs that share slots. */
  standings(running: readonly Party[]): Standings {
    return {
      organizations: this.#standingsOf(
        this.#organizations,
        running.map(({ for_organization }) => organizationName(for_organization)),
      ),
      persons: this.#standingsOf(
        this.#persons,
        running.map(({ for_organization, for_person }) => personName(for_organization, for_person)),
      ),
    }
  }

  #standingsOf(turns: LRUCache<string, number>, running: readonly string[]): Standing[] {
    const counts = new Map<string, number>()
    for (const name of running) counts.set(name, (counts.get(name) ?? 0) + 1)
    return [...new Set([...turns.keys(), ...counts.keys()])].map(name => ({
      name,
      running: counts.get(name) ?? 0,
      lastTurn: turns.get(name) ?? 0,
    }))
  }
}
