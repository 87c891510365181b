// Finds the nearest of many vectors in a thread. All threads share the vectors' memory.
import { type Near, nearest } from '../engines/vectors/nearest.ts'
import type { Task } from './task.ts'

export type NearestVectorsInput = {
  readonly parts: readonly { readonly buffer: SharedArrayBuffer; readonly dimensions: number }[]
  readonly vector: Int8Array
  readonly limit: number
}

export const nearestVectors: Task<NearestVectorsInput, Near[]> = ({ parts, vector, limit }) =>
  nearest(
    parts.map(({ buffer, dimensions }) => ({ bytes: new Int8Array(buffer), dimensions })),
    vector,
    limit,
  )
