// Loaded before `node:test`. To know which test a call of `test` is in, the test runner follows every promise and
// timer of the process by async hooks, which takes a tenth of the processor's time of a lane. An AsyncLocalStorage knows
// the same at no such price: here the runner is given one, by what it takes from `node:async_hooks`.
import type AsyncHooks from 'node:async_hooks'
import { createRequire } from 'node:module'

const hooks = createRequire(import.meta.url)('node:async_hooks') as typeof AsyncHooks
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks

const running = new AsyncLocalStorage<number>()
let onInit: AsyncHooks.HookCallbacks['init']

/** What the runner's tests and hooks extend. */
class Scope extends AsyncResource {
  constructor(type: string, options?: AsyncHooks.AsyncResourceOptions) {
    super(type, options)
    onInit?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    fn: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    // Inside: a resource restores what was stored when it was made.
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => fn.apply(self as This, args)))
  }
}

const inert: AsyncHooks.AsyncHook = { enable: () => inert, disable: () => inert }

Object.assign(hooks, {
  AsyncResource: Scope,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook(callbacks: AsyncHooks.HookCallbacks) {
    onInit = callbacks.init
    return inert
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
