// `node test/conformance/model.ts [--runs N] [--seed N]`: the model test for as long as one likes. The database is that
// of OCTAVO_TEST_DATABASE, or the embedded one.
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { runModel } from './model/run.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string' } },
})

test(`${values.runs} runs`, { timeout: Number.POSITIVE_INFINITY }, () =>
  runModel({
    runs: Number(values.runs),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  }),
)
