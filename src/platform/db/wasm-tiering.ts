// When V8 compiles a function of PostgreSQL once more, with its optimizing compiler.
import { setFlagsFromString } from 'node:v8'

// In bytes of its code that a function has run through. A jump counts for what it skips, so that the parser of PostgreSQL,
// one function of 100 KB, reaches V8's own number in the first second of every start, and then takes half a second of a
// processor and 600 MB of memory. With this one it takes some thousand statements that were not prepared, and long
// statements run a third slower in their first half minute.
const BUDGET = 1_000_000_000
const BUDGET_OF_V8 = 13_000_000

/** Runs `open`, which makes modules of WebAssembly. The number is kept by each module; others than these keep V8's. */
export async function withLateTierUp<T>(open: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`)
  try {
    return await open()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${BUDGET_OF_V8}`)
  }
}
