// A screen that is read when it is opened, or before. React shows what stands in for it for 300 ms at least, even if it
// comes at once: what was read before is drawn without.
import { type ComponentType, createElement, lazy, useState } from 'react'

type Module<Props> = { readonly default: ComponentType<Props> }

/** The screen, and how to read it before it is opened. */
export function later<Props extends object>(
  read: () => Promise<Module<Props>>,
): [ComponentType<Props>, () => Promise<unknown>] {
  let known: ComponentType<Props> | undefined
  const readIt = async (): Promise<Module<Props>> => {
    const module = await read()
    known = module.default
    return module
  }
  const Lazy = lazy(readIt)
  const Later = (props: Props) => {
    // The same for as long as it is shown.
    const [Screen] = useState<ComponentType<Props>>(() => known ?? Lazy)
    return createElement(Screen, props)
  }
  return [Later, readIt]
}
