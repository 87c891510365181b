// What waits for a turn, by organization and then by person: an organization gets one turn in each round, however many
// of its people wait, and each of them one turn in each round of their organization. A round ends when nobody waits who
// has had no turn in it.
import type { Party } from './party.ts'

export type Waiting<T> = { readonly party: Party; readonly item: T }

type Organization<T> = { size: number; readonly persons: Map<string, T[]> }

/** With more turns than this, a round ends: those who had theirs wait for no more others. */
const ROUND_TURNS_MAX = 200

export class FairQueue<T> {
  // Maps keep the order of insertion: whoever had a turn is inserted again at the end.
  readonly #organizations = new Map<string, Organization<T>>()
  /** The organizations that had their turn in this round, also when nothing of theirs waited any more. */
  readonly #served = new Set<string>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many wait for this person of this organization. */
  countOf({ organization, person }: Party): number {
    return this.#organizations.get(organization)?.persons.get(person)?.length ?? 0
  }

  countOfOrganization(organization: string): number {
    return this.#organizations.get(organization)?.size ?? 0
  }

  add({ organization, person }: Party, item: T): void {
    const all = this.#organizations.get(organization) ?? { size: 0, persons: new Map() }
    const own = all.persons.get(person) ?? []
    own.push(item)
    all.persons.set(person, own)
    all.size += 1
    this.#organizations.set(organization, all)
    this.#size += 1
  }

  /** Removes and returns the next of an organization that may have a turn, and of a person in it who may. */
  take(
    mayHaveTurn: (organization: string) => boolean = () => true,
    mayPersonHaveTurn: (party: Party) => boolean = () => true,
  ): Waiting<T> | undefined {
    const isDue = (organization: string) => !this.#served.has(organization)
    if (this.#served.size >= ROUND_TURNS_MAX || ![...this.#organizations.keys()].some(isDue))
      this.#served.clear()
    return (
      this.#takeFirst(organization => isDue(organization) && mayHaveTurn(organization), mayPersonHaveTurn) ??
      this.#takeFirst(mayHaveTurn, mayPersonHaveTurn)
    )
  }

  #takeFirst(
    mayHaveTurn: (organization: string) => boolean,
    mayPersonHaveTurn: (party: Party) => boolean,
  ): Waiting<T> | undefined {
    for (const [organization, all] of this.#organizations) {
      if (!mayHaveTurn(organization)) continue
      for (const [person, own] of all.persons) {
        const party = { organization, person }
        if (!mayPersonHaveTurn(party)) continue
        // A person without anything that waits is removed.
        const item = own.shift() as T
        this.#size -= 1
        all.size -= 1
        all.persons.delete(person)
        if (own.length > 0) all.persons.set(person, own)
        this.#organizations.delete(organization)
        if (all.size > 0) this.#organizations.set(organization, all)
        this.#served.add(organization)
        return { party, item }
      }
    }
    return undefined
  }

  /** The newest of the person with most that waits, in the organization with most. */
  newestOfMost(): Waiting<T> | undefined {
    const most = largest(this.#organizations, ({ size }) => size)
    if (most === undefined) return undefined
    const [organization, { persons }] = most
    // An organization without anybody who waits is removed.
    const [person, own] = largest(persons, ({ length }) => length) as [string, T[]]
    return { party: { organization, person }, item: own.at(-1) as T }
  }

  /** Whether it waited. */
  remove({ organization, person }: Party, item: T): boolean {
    const all = this.#organizations.get(organization)
    const own = all?.persons.get(person)
    const at = own?.indexOf(item) ?? -1
    if (all === undefined || own === undefined || at === -1) return false
    own.splice(at, 1)
    this.#size -= 1
    all.size -= 1
    if (own.length === 0) all.persons.delete(person)
    if (all.size === 0) this.#organizations.delete(organization)
    return true
  }

  /** Removes and returns all. */
  drain(): T[] {
    const items = [...this.#organizations.values()].flatMap(({ persons }) => [...persons.values()].flat())
    this.#organizations.clear()
    this.#size = 0
    return items
  }
}

/** Among equals the last, whose turn is further away than that of most. */
function largest<V>(entries: Iterable<[string, V]>, sizeOf: (value: V) => number): [string, V] | undefined {
  let found: [string, V] | undefined
  for (const entry of entries) if (found === undefined || sizeOf(entry[1]) >= sizeOf(found[1])) found = entry
  return found
}
