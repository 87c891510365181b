// What is drawn in the corners, over every screen. Only screens that come later show anything there; it comes with them.
import type { ComponentType } from 'react'
import { createStore } from './store.ts'

export const corner = createStore<ReadonlyMap<string, ComponentType>>(new Map())

/** From now on. */
export function showInCorner(name: string, shown: ComponentType): void {
  if (corner.get().get(name) !== shown) corner.set(new Map([...corner.get(), [name, shown]]))
}
