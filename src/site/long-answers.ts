// Answers that take long to make, such as a whole space in one document: limited in number and in time.
import { Readable } from 'node:stream'

export type LongAnswerBounds = {
  /** How many are made at once, since making them is work for this process. */
  readonly atOnceMax: number
  /** How many for one caller, by network address, so that slow readers in one place leave room for others. */
  readonly ofOneMax: number
  /** The time for one answer: a reader that never finishes would occupy a place forever. */
  readonly millisecondsMax: number
}

export class LongAnswers {
  readonly #bounds: LongAnswerBounds
  readonly #running: string[] = []

  constructor(bounds: LongAnswerBounds) {
    this.#bounds = bounds
  }

  /** A stream of the pieces; undefined if too many answers are being made. */
  begin(caller: string, pieces: AsyncIterable<string>): Readable | undefined {
    const { atOnceMax, ofOneMax, millisecondsMax } = this.#bounds
    const own = this.#running.filter(one => one === caller).length
    if (this.#running.length >= atOnceMax || own >= ofOneMax) return undefined
    this.#running.push(caller)
    const stream = Readable.from(pieces, { objectMode: false })
    const cut = setTimeout(() => stream.destroy(), millisecondsMax)
    stream.once('close', () => {
      clearTimeout(cut)
      this.#running.splice(this.#running.indexOf(caller), 1)
    })
    return stream
  }
}
