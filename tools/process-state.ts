// What one test file could leave behind for the next one of its lane: the parts of a process that all its code shares.

type ProcessState = ReadonlyMap<string, unknown>

export function lookAtProcess(): ProcessState {
  const state = new Map<string, unknown>([['process.cwd()', process.cwd()]])
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value)
  // Some have getters, since node makes them when they are first used: these are left out.
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
    if (typeof value === 'function') state.set(name, value)
  return state
}

/** The names of what is another now. A global that has come is none, since libraries bring some. */
export function changesSince(before: ProcessState): string[] {
  const after = lookAtProcess()
  const come = [...after.keys()].filter(name => name.startsWith('process.') && !before.has(name))
  return [...before.keys()].filter(name => before.get(name) !== after.get(name)).concat(come)
}
