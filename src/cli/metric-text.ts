// Metrics as values, and their text in the format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
import type { DurationCounts } from '../base/tallies.ts'

type Labels = Readonly<Record<string, string>>

export type Metric =
  | {
      readonly type: 'counter' | 'gauge'
      readonly name: string
      readonly help: string
      readonly samples: readonly { readonly labels: Labels; readonly value: number }[]
    }
  | {
      readonly type: 'histogram'
      readonly name: string
      readonly help: string
      readonly samples: readonly { readonly labels: Labels; readonly counts: DurationCounts }[]
    }

const plain = (type: 'counter' | 'gauge') => (name: string, help: string, value: number) =>
  ({ type, name, help, samples: [{ labels: {}, value }] }) satisfies Metric

export const counter = plain('counter')
export const gauge = plain('gauge')

/** A metric with a sample for each label of a tally; the words of the label are the values of `names`, in order. */
export const tallied = (
  name: string,
  help: string,
  names: readonly string[],
  counts: ReadonlyMap<string, number>,
): Metric => ({
  type: 'counter',
  name,
  help,
  samples: [...counts].map(([label, value]) => ({ labels: labelsOf(names, label.split(' ')), value })),
})

export const labelsOf = (names: readonly string[], values: readonly string[]): Labels =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))

/** Durations are kept in milliseconds and shown in seconds, the base unit of Prometheus. */
export function* renderMetric(metric: Metric): Generator<string> {
  const { type, name, help } = metric
  yield `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
  if (metric.type !== 'histogram') {
    for (const { labels, value } of metric.samples) yield `${name}${between(labels)} ${value}\n`
    return
  }
  for (const { labels, counts } of metric.samples) {
    const { atMost, count, sumMs } = counts
    for (const [ms, within] of atMost)
      yield `${name}_bucket${between({ ...labels, le: String(ms / 1_000) })} ${within}\n`
    yield `${name}_bucket${between({ ...labels, le: '+Inf' })} ${count}\n`
    yield `${name}_sum${between(labels)} ${sumMs / 1_000}\n${name}_count${between(labels)} ${count}\n`
  }
}

function between(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
