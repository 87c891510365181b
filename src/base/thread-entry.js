// @ts-check
// The first file of every thread that thread.ts starts. JavaScript, because Node loads a compiler for a first file in
// TypeScript (30 ms of processor time); later files come from the compile cache.
import { enableCompileCache } from 'node:module'

const [program = '', compileCache = ''] = process.argv.slice(2)
if (compileCache !== '') enableCompileCache(compileCache)
await import(program)
