// A checker of Stryker that leaves a sample of the mutants: as many as it is asked for, chosen by a seed. Those of other
// runs, and those that only reword a message, count as not compiled, which is how Stryker leaves mutants out.
import { readFileSync } from 'node:fs'
import type { Checker, CheckResult } from '@stryker-mutator/api/check'
import { CheckStatus } from '@stryker-mutator/api/check'
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import { sha256 } from '../../src/base/canonical.ts'

export type SampleOptions = { readonly sample: { readonly seed: number; readonly mutants: number } }

const LEFT_OUT: CheckResult = { status: CheckStatus.CompileError, reason: 'not in the sample' }
const CHOSEN: CheckResult = { status: CheckStatus.Passed }

/** The mutants of a sample: the same for the same sources, seed and number. */
export function chooseMutants<M extends Pick<Mutant, 'fileName' | 'location' | 'replacement'>>(
  mutants: readonly M[],
  { seed, mutants: count }: SampleOptions['sample'],
): M[] {
  const placed = mutants.map(mutant => {
    const { start, end } = mutant.location
    const place = [mutant.fileName, start.line, start.column, end.line, end.column, mutant.replacement]
    return { mutant, place: sha256(JSON.stringify([seed, ...place])) }
  })
  return placed
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

/** Words for people: no test should hold a message to the letter. */
export const isMessage = (text: string): boolean => /^['"`][^'"`]* [^'"`]* /.test(text)

class SampleChecker implements Checker {
  static inject = tokens(commonTokens.options)
  readonly #options: SampleOptions['sample']
  readonly #chosen = new Set<string>()

  constructor(options: StrykerOptions) {
    this.#options = (options as unknown as SampleOptions).sample
  }

  async init(): Promise<void> {}

  /** Called once, with all mutants that some test reaches or not, by a single process. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    const telling = mutants.filter(
      mutant => !(mutant.mutatorName === 'StringLiteral' && isMessage(textOf(mutant))),
    )
    for (const { id } of chooseMutants(telling, this.#options)) this.#chosen.add(id)
    return mutants.map(({ id }) => [id])
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map(({ id }) => [id, this.#chosen.has(id) ? CHOSEN : LEFT_OUT]))
  }
}

/** The replaced text, as far as it is on its first line. Lines and columns begin at 0. */
function textOf({ fileName, location: { start, end } }: Mutant): string {
  const line = readFileSync(fileName, 'utf8').split('\n')[start.line] ?? ''
  return line.slice(start.column, end.line === start.line ? end.column : undefined)
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)]
