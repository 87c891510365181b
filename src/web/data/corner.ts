// What draws messages in the corner. Only screens that come later say anything; it comes with them.
import type { ComponentType } from 'react'
import { createStore } from './store.ts'

/** Null before anything was said. */
export const corner = createStore<ComponentType | null>(null)
