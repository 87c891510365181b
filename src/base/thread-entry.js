// The first file of every thread that thread.ts starts. JavaScript, because Node loads a compiler for a first file in
// TypeScript (30 ms of a processor); the others are compiled since the start before.
import { enableCompileCache } from 'node:module'

const [, , program, compileCache] = process.argv
if (compileCache !== '') enableCompileCache(compileCache)
await import(program)
