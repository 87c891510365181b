// When V8 recompiles a function of PostgreSQL with its optimizing compiler.
import { setFlagsFromString } from 'node:v8'

// The budget is in bytes of code that a function has run through. A jump counts the bytes it skips, so PostgreSQL's
// parser, one function of 100 KB, exceeds V8's default in the first second of every start, and its compilation takes
// half a second of processor time and 600 MB of memory. With this budget that takes some thousand unprepared
// statements, and long statements run a third slower in their first half minute.
const BUDGET = 1_000_000_000
const BUDGET_OF_V8 = 13_000_000

/** Runs `open`, which creates WebAssembly modules. Each module keeps its budget; all others keep V8's. */
export async function withLateTierUp<T>(open: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`)
  try {
    return await open()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${BUDGET_OF_V8}`)
  }
}
