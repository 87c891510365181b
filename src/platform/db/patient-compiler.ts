// When V8 compiles a function of PostgreSQL once more, with its optimizing compiler.
import { setFlagsFromString } from 'node:v8'

// In bytes of its code that a function has run. V8's own number is right for games, and is reached by the parser of
// PostgreSQL in the first second of every start: that one function then takes half a second of a processor and 600 MB
// of memory. With this one, functions that long statements run in are compiled within a second of these, and the parser
// after some thousand statements that were not prepared.
const BUDGET = 300_000_000
const BUDGET_OF_V8 = 13_000_000

/** Runs `open`, which makes modules of WebAssembly. The number is kept by each module; others than these keep V8's. */
export async function patiently<T>(open: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`)
  try {
    return await open()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${BUDGET_OF_V8}`)
  }
}
