// Spaces, change requests, updates, merges and rollbacks in random order do what a model without blocks, lines or tries says.
// `node test/conformance/model.ts --runs 5000` does the same for longer.
import { test } from 'node:test'
import { runs } from '../support/property-runs.ts'
import { runModel } from './model/run.ts'

// A run is some fifteen steps, each with the calls that look at what came of it: twenty on both engines together.
const RUNS = runs(10)

test('whatever people do in whatever order, the server has what the model has', () =>
  runModel({ runs: RUNS }))
