// The thread in which expressions run. It may get stuck on one: thread.ts watches it and ends it.
import { parentPort } from 'node:worker_threads'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { assert } from '../../base/assert.ts'
import { runInSandbox, type Task } from './sandbox.ts'

assert(parentPort !== null, 'the sandbox runs in a thread of its own')
const port = parentPort
// Its types are those of its CommonJS build, which has a different default export.
const quickjs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant)
// The first evaluation in a module costs about ten times as much as the second.
runInSandbox(quickjs, { expression: '1', values: '{}' })
port.on('message', (task: Task) => port.postMessage(runInSandbox(quickjs, task)))
port.postMessage('ready')
