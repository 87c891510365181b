import { objectStoreConformance } from './store.conformance.ts'
import { memoryStore } from './store.ts'

objectStoreConformance('the memory store', async () => memoryStore())
